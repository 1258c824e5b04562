import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { type Git, PROBE, type Setting } from "./git.ts";

/** A repository as it is looked at. */
export interface Repository {
  readonly root: string;
  /** The file that holds the index. */
  readonly index: string;
  /** The file with what it ignores by its own list, shared by its linked worktrees. */
  readonly exclude: string;
  readonly algorithm: "sha1" | "sha256";
  /** Limits the look to one directory, when nothing in that directory belongs to the repository yet. */
  readonly only?: string;
}

/** And its last commit as it is now; undefined: there is none yet. */
export interface FoundRepository extends Repository {
  readonly head: string | undefined;
}

/** The repository that `cwd` belongs to. Undefined: none, none that git will look at, or `cwd` is ignored in it. */
export async function findRepository(git: Git, cwd: string): Promise<FoundRepository | undefined> {
  const answer = await git(cwd, [
    "rev-parse",
    "--show-toplevel",
    "--show-object-format",
    "--show-prefix",
    "--git-path",
    "index",
    "--git-path",
    "info/exclude",
    "--revs-only",
    "HEAD^{commit}",
  ]);
  if (answer.status !== "ok") return undefined;
  const [root = "", format, prefix = "", index = "", exclude = "", head = ""] = answer.output
    .toString("utf8")
    .split("\n");
  if (root === "" || (format !== "sha1" && format !== "sha256")) return undefined;
  if (!isAtOrAbove(root, cwd)) return undefined; // its config claims a folder elsewhere
  const inner = prefix === "" ? ({ status: "whole" } as const) : await placeOf(git, cwd);
  if (inner.status === "ignored") return undefined;
  return {
    root,
    index: resolve(cwd, index),
    exclude: resolve(cwd, exclude),
    algorithm: format,
    head: head === "" ? undefined : head,
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

function isAtOrAbove(root: string, cwd: string): boolean {
  const [top, here] = [root, cwd].map((path) => realpathSync(path));
  return here === top || here!.startsWith(top === "/" ? top! : `${top}/`);
}

/**
 * Filters are commands. Those of the user are the user's; those that the repository itself names are not run, be it the
 * outermost one or one within. Undefined: it cannot be told, or there are too many, and git is better not asked at all.
 */
export async function withoutFilters(git: Git, root: string): Promise<readonly Setting[] | undefined> {
  const pattern = `^(filter\\.|${PROBE.replace(".", "\\.")}$)`;
  const answer = await git(root, ["config", "-z", "--show-scope", "--name-only", "--get-regexp", pattern]);
  if (answer.status !== "ok") return undefined;
  const fields = answer.output.toString("utf8").split("\0");
  const names = new Set<string>();
  let isObeyed = false;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, key] = [fields[at]!, fields[at + 1]!];
    isObeyed ||= key === PROBE;
    const name = /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1];
    if (name !== undefined && !USERS.includes(scope)) names.add(name);
  }
  if (!isObeyed || names.size > MOST_FILTERS) return undefined;
  return [...names].flatMap((name): Setting[] => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ]);
}

const USERS: readonly string[] = ["system", "global"];
const MOST_FILTERS = 1_000;
