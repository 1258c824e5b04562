import { resolve } from "node:path";
import type { Git } from "./git.ts";

/** A repository as it is looked at: where it is, and what keeps its own config from being carried out. */
export interface Repository {
  readonly root: string;
  /** The file that holds the index. */
  readonly index: string;
  readonly algorithm: "sha1" | "sha256";
  /** Limits the look to one directory, when nothing in that directory belongs to the repository yet. */
  readonly only?: string;
  readonly settings: readonly string[];
}

/** The repository that `cwd` belongs to. Undefined: none, none that git will look at, or `cwd` is ignored in it. */
export async function findRepository(git: Git, cwd: string): Promise<Repository | undefined> {
  const answer = await git(cwd, [
    "rev-parse",
    "--show-toplevel",
    "--show-object-format",
    "--show-prefix",
    "--git-path",
    "index",
  ]);
  if (answer.status !== "ok") return undefined;
  const [root = "", format, prefix = "", index = ""] = answer.output.toString("utf8").split("\n");
  if (root === "" || (format !== "sha1" && format !== "sha256")) return undefined;
  const inner = prefix === "" ? ({ status: "whole" } as const) : await placeOf(git, cwd);
  if (inner.status === "ignored") return undefined;
  const settings = await withoutFilters(git, root);
  return {
    root,
    index: resolve(cwd, index),
    algorithm: format,
    settings,
    ...(inner.status === "new" && { only: prefix }),
  };
}

/** A home directory may be a repository that ignores or forgets nearly everything in it. */
async function placeOf(git: Git, cwd: string): Promise<{ readonly status: "whole" | "ignored" | "new" }> {
  if ((await git(cwd, ["check-ignore", "-q", "."])).status === "ok") return { status: "ignored" };
  const tracked = await git(cwd, ["ls-tree", "--name-only", "HEAD", "."]);
  if (tracked.status === "ok" && tracked.output.length > 0) return { status: "whole" };
  const staged = await git(cwd, ["ls-files", "."]);
  return { status: staged.status === "ok" && staged.output.length > 0 ? "whole" : "new" };
}

/** Filters are commands. Those of the user are the user's; those that the repository itself names are not run. */
async function withoutFilters(git: Git, root: string): Promise<readonly string[]> {
  const answer = await git(root, ["config", "-z", "--show-scope", "--name-only", "--get-regexp", "^filter\\."]);
  if (answer.status !== "ok") return [];
  const fields = answer.output.toString("utf8").split("\0");
  const names = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = /^filter\.(.+)\.[^.]+$/.exec(fields[at + 1]!)?.[1];
    if (name !== undefined && !USERS.includes(fields[at]!)) names.add(name);
  }
  return [...names].flatMap((name) =>
    ["clean=", "process=", "required=false"].flatMap((setting) => ["-c", `filter.${name}.${setting}`]),
  );
}

const USERS: readonly string[] = ["system", "global"];
