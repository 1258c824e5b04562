/**
 * Why files could not be brought or kept. `fenced`: another worker has the run by now. `away`: the remote cannot be reached, and may be again.
 * Everything else needs you.
 */
export type FilesProblem =
  | "fenced"
  | "away"
  | "no_credentials"
  | "gone"
  | "no_ref"
  | "refuses_refs"
  | "no_checkpoint"
  | "failed";

export class FilesError extends Error {
  override readonly name = "FilesError";
  readonly code: FilesProblem;
  constructor(code: FilesProblem, message: string) {
    super(message);
    this.code = code;
  }
}

/** It passes: callers that need the remote wait and ask again. */
export const isAway = (error: unknown): boolean => error instanceof FilesError && error.code === "away";

/** What git complained about, as one sentence that says what to do. */
export function explainGit(problem: string, repo: string): FilesError {
  const found = PROBLEMS.find(([shape]) => shape.test(problem));
  const last =
    problem
      .trim()
      .split("\n")
      .findLast((line) => /^(?:fatal|error|remote)?:?/.test(line)) ?? "";
  if (!found) return new FilesError("failed", `git failed for ${shown(repo)}: ${last.slice(0, 300)}`);
  const [, code, says] = found;
  return new FilesError(code, says(shown(repo)));
}

/** A password does not belong in the address; if there is one, it is not shown. */
const shown = (repo: string): string => repo.replace(/\/\/[^/@]*@/, "//");

const PROBLEMS: readonly (readonly [RegExp, FilesProblem, (repo: string) => string])[] = [
  [/stale info|\[rejected\]|fetch first|non-fast-forward/, "fenced", () => "Another worker has this run by now."],
  [
    /\[remote rejected\]|hidden ref|hook declined|funny refname/,
    "refuses_refs",
    (repo) =>
      `${repo} refuses refs/tildone/fleet/*, where the files of unfinished runs are kept. Allow the worker to push these refs.`,
  ],
  [
    /Authentication failed|could not read (?:Username|Password)|Permission denied \(|terminal prompts disabled|HTTP 40[13]|error: 403|Host key verification failed/,
    "no_credentials",
    (repo) =>
      `The worker may not use ${repo}. Set up its git credentials (a credential helper or an SSH key), then submit again.`,
  ],
  [
    /not found|does not appear to be a git repository|does not exist|[Nn]o such file or directory|Repository .* disabled/,
    "gone",
    (repo) => `There is no repository at ${repo}, or the worker may not see it.`,
  ],
  [
    /couldn't find remote ref|not our ref|unadvertised object/,
    "no_ref",
    (repo) => `${repo} does not have that branch, tag or commit.`,
  ],
  [
    /Could not resolve host|Connection (?:refused|reset|timed out)|unable to access|early EOF|hung up|timed out|ETIMEDOUT/,
    "away",
    (repo) => `${repo} cannot be reached.`,
  ],
];
