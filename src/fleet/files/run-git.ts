import { join } from "node:path";
import { hashOf } from "../../machine/index.ts";
import { explainGit, FilesError } from "./files-error.ts";
import type { FleetGit, GitCall } from "./fleet-git.ts";

export interface RunFilesOptions {
  readonly git: FleetGit;
  /** Clones that all runs of this worker share. */
  readonly cache: string;
  /** The folder of this run alone: `work` and what belongs to it. */
  readonly place: string;
  readonly run: string;
  readonly repo: string;
}

/** Otherwise it says nothing. */
type How = "must work" | "may fail";

export type RunGit = ReturnType<typeof createRunGit>;

/**
 * How git is asked about one run. Three repositories, so that nothing the agent writes into the settings of its own is ever carried out:
 *
 *     shared   bare, for all runs of the worker that are of this repository
 *     work     the agent's: an ordinary repository on branch tildone/<run>
 *     exact    ours: takes and lays out the files byte for byte, and pushes them to refs/tildone/fleet/<run>
 */
export function createRunGit({ git, cache, place, run, repo }: RunFilesOptions) {
  const shared = join(cache, `${hashOf("sha256", Buffer.from(repo)).toString("hex", 0, 16)}.git`);
  const work = join(place, "work");
  const exact = join(place, "exact.git");
  const index = join(exact, "index");
  const ref = `refs/tildone/fleet/${run}`;
  return {
    ...{ shared, work, exact, index, ref },
    ...{ asked, into, inWork, messageOf, commitOf, fetchInto, remoteTip, move, alternates, laidOut, trying },
  };

  async function asked(args: readonly string[], call: GitCall = {}, how: How = "must work"): Promise<string> {
    const there = call.variables?.GIT_WORK_TREE;
    const answer = await git(args, { ...(there !== undefined && { cwd: there }), ...call });
    if (answer.status === "ok") return answer.output.trim();
    if (how === "may fail") return "";
    throw new FilesError(
      "failed",
      `git ${args.find((arg) => /^[a-z]+-?[a-z]*$/.test(arg))} failed: ${answer.problem.slice(0, 500)}`,
    );
  }

  function into(args: readonly string[], call?: GitCall, how: How = "must work"): Promise<string> {
    const there = call?.variables?.GIT_WORK_TREE;
    return asked(["--git-dir", exact, ...args], { ...(there !== undefined && { cwd: there }), ...call }, how);
  }

  function inWork(args: readonly string[], how: How = "must work"): Promise<string> {
    return asked(["-C", work, ...args], {}, how);
  }

  /** Undefined: it could not be done, and that says something. */
  async function trying(args: readonly string[], call: GitCall = {}): Promise<string | undefined> {
    const answer = await git(args, call);
    return answer.status === "ok" ? answer.output.trim() : undefined;
  }

  /** Of a commit; empty where there is none. */
  async function messageOf(commit: string): Promise<string> {
    return (await trying(["--git-dir", exact, "log", "-1", "--format=%B", commit])) ?? "";
  }

  function commitOf(tree: string, parents: readonly string[], message: string, call?: GitCall): Promise<string> {
    const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
    return call ? asked(args, { ...call, input: message }) : into(args, { variables: alternates(), input: message });
  }

  async function fetchInto(directory: string, spec: string): Promise<void> {
    const args = ["fetch", "-q", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--", repo, spec];
    const fetched = await git(["--git-dir", directory, ...args]);
    if (fetched.status === "failed") throw explainGit(fetched.problem, repo);
  }

  async function remoteTip(): Promise<string | undefined> {
    const listed = await git(["ls-remote", "--", repo, ref]);
    if (listed.status === "failed") throw explainGit(listed.problem, repo);
    return /^[0-9a-f]{40,64}/.exec(listed.output)?.[0];
  }

  async function move(commit: string, from: string | undefined, directory = exact): Promise<"moved" | "fenced"> {
    const lease = `--force-with-lease=${ref}:${from ?? ""}`;
    const args = ["push", "-q", "--no-verify", lease, "--", repo, `${commit}:${ref}`];
    const pushed = await git(["--git-dir", directory, ...args], { variables: alternates() });
    if (pushed.status === "ok") return "moved";
    const problem = explainGit(pushed.problem, repo);
    if (problem.code === "fenced") return "fenced";
    throw problem;
  }

  function alternates(): Record<string, string> {
    return { GIT_ALTERNATE_OBJECT_DIRECTORIES: [join(work, ".git/objects"), join(exact, "objects")].join(":") };
  }

  /** Our own view of the agent's files. */
  function laidOut(): Record<string, string> {
    return { ...alternates(), GIT_WORK_TREE: work, GIT_INDEX_FILE: index };
  }
}
