import { withBare } from "./bare.ts";
import { explainGit } from "./files-error.ts";
import type { RunFilesOptions } from "./run-git.ts";

/** Removes the checkpoints of a run from its repository; twice is harmless. The branch of its result stays: that one is yours. */
export async function removeFiles({ git, cache, repo, run }: Omit<RunFilesOptions, "place">): Promise<void> {
  const ref = `refs/tildone/fleet/${run}`;
  const listed = await git(["ls-remote", "--", repo, ref]);
  if (listed.status === "failed") throw explainGit(listed.problem, repo);
  if (listed.output === "") return;
  await withBare({ git, cache, repo }, (asked) => asked("push", "-q", "--no-verify", "--", repo, `:${ref}`));
}
