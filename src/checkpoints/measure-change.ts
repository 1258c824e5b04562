import { statSync } from "node:fs";
import { join } from "node:path";
import { type Changed, UNCHANGED } from "../core/run/index.ts";
import type { Parts } from "./ports.ts";

/** What changed between two trees of files: how much. */
export async function measureChange(parts: Parts, cwd: string, from: string | undefined, to: string): Promise<Changed> {
  if (from === undefined || from === to) return UNCHANGED;
  const answer = await compare(parts, cwd, ["--numstat", "-z"], from, to);
  if (answer === undefined) return UNCHANGED;
  let [files, added, removed] = [0, 0, 0];
  for (const line of answer.toString("latin1").split("\0")) {
    const [, plus, minus] = /^(\d+|-)\t(\d+|-)\t/.exec(line) ?? [];
    if (plus === undefined) continue;
    files++;
    added += Number(plus) || 0;
    removed += Number(minus) || 0;
  }
  return { files, added, removed };
}

/** What changed between two trees of files, as git prints it. */
export async function showChange(
  parts: Parts,
  cwd: string,
  form: readonly string[],
  from: string,
  to: string,
): Promise<string | undefined> {
  return (await compare(parts, cwd, form, from, to))?.toString("utf8");
}

/**
 * The store says of every file that it is binary, because no byte of it may change. Compared is from a repository that says nothing,
 * with the objects of the store.
 */
async function compare(parts: Parts, cwd: string, form: readonly string[], from: string, to: string) {
  const plain = join(parts.directory, "plain");
  if (statSync(join(plain, "HEAD"), { throwIfNoEntry: false }) === undefined)
    await parts.git(parts.directory, ["init", "-q", "--bare", "--template=", "--object-format=sha1", plain]);
  const store = await parts.store(cwd);
  if (!store) return undefined;
  const answer = await store.git(
    ["diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-renames", ...form, `${from}:project`, `${to}:project`],
    {
      settings: [["core.bigFileThreshold", "2m"]],
      variables: {
        GIT_DIR: plain,
        GIT_WORK_TREE: plain,
        GIT_OBJECT_DIRECTORY: join(store.place, "objects"),
      },
    },
  );
  return answer.status === "ok" ? answer.output : undefined;
}
