import { redact } from "../../core/secret/index.ts";

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

/** A remote of which nothing is heard. */
export const silentRemote = (repo: string): FilesError =>
  new FilesError("away", `${shown(repo)} cannot be reached: it does not answer.`);

/** What git complained about, as one sentence that says what to do. */
export function explainGit(problem: string, repo: string): FilesError {
  const found = PROBLEMS.find(([shape]) => shape.test(problem));
  const last =
    problem
      .trim()
      .split(/[\r\n]/)
      .at(-1) ?? "";
  if (!found) return new FilesError("failed", `git failed for ${shown(repo)}: ${shown(last).slice(0, 300)}`);
  const [, code, says] = found;
  return new FilesError(code, says(shown(repo), CAUSES.find(([shape]) => shape.test(problem))?.[1]));
}

/** A password does not belong in the address, and git's own settings may put one there: none is shown. */
const shown = (text: string): string => redact(text.replace(/\/\/[^/@\s]*@/g, "//"));

/** Why a remote is away, in our own words: what a server says may hold anything. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/resolve host|unable to look up|Name or service not known/, "its name is not known"],
  [/[Cc]onnection refused|Couldn't connect/, "nothing listens there"],
  [/timed out|ETIMEDOUT/, "it does not answer"],
  [/No route to host|Network is unreachable/, "no route leads there"],
  [/certificate/, "its certificate is not trusted"],
  [/error: 5\d\d/, "it reports an error of its own"],
  [/reset|hung up|early EOF|closed by/, "the connection broke"],
];

const PROBLEMS: readonly (readonly [RegExp, FilesProblem, (repo: string, cause?: string) => string])[] = [
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
    /Could not resolve host|[Cc]onnection (?:refused|reset|closed|timed out)|No route to host|Network is unreachable|unable to (?:access|connect|look up)|early EOF|hung up|timed out|ETIMEDOUT/,
    "away",
    (repo, cause) => `${repo} cannot be reached${cause === undefined ? "" : `: ${cause}`}.`,
  ],
];
