import type { Git } from "../workspace/git.ts";
import { walkFiles } from "../workspace/walk-files.ts";

const MOST_FILES = 200_000;

/** The project's files, relative to `cwd`: tracked and untracked, not ignored; without git, every file there is. */
export async function listFiles(git: Git, cwd: string): Promise<readonly string[]> {
  const answer = await git(cwd, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
  if (answer.status === "ok") return records(answer.output);
  const walked = walkFiles(Buffer.from(cwd).toString("latin1"), MOST_FILES) ?? [];
  return [...walked].map((path) => Buffer.from(path, "latin1").toString("utf8"));
}

/** What git ignores there, whole directories as one with a slash at the end. */
export async function listIgnored(git: Git, cwd: string): Promise<readonly string[]> {
  const answer = await git(cwd, ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]);
  return answer.status === "ok" ? records(answer.output) : [];
}

const records = (output: Buffer): readonly string[] =>
  output
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "");
