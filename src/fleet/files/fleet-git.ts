import { execFile } from "node:child_process";

export type GitResult =
  | { readonly status: "ok"; readonly output: string }
  | { readonly status: "failed"; readonly problem: string };

export interface GitCall {
  readonly cwd?: string;
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Calls git with the worker's own settings and credentials: it may reach the network, asks no questions, and runs no hook. */
export type FleetGit = (args: readonly string[], call?: GitCall) => Promise<GitResult>;

/** A remote may take minutes to send a large repository; one that sends nothing at all is away. */
export interface FleetGitOptions {
  /** A call of which nothing was heard for so long is ended. */
  readonly timeoutMs?: number;
  /** After so long without a word from the remote you are told, once for each call. */
  readonly silentMs?: number;
  readonly onSilent?: () => void;
  /** A call that was silent has ended well. */
  readonly onAnswer?: () => void;
  readonly signal?: AbortSignal;
}

export function fleetGit(
  env: Readonly<Record<string, string | undefined>>,
  { timeoutMs = 120_000, silentMs = 5_000, onSilent, onAnswer, signal }: FleetGitOptions = {},
): FleetGit {
  const environment = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || KEPT.has(name))),
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    LC_ALL: "C",
    ...IDENTITY,
  };
  return (args, { cwd, input, variables } = {}) => {
    const { promise, resolve } = Promise.withResolvers<GitResult>();
    const isRemote = args.some((arg) => REMOTE.has(arg));
    let isLate = false;
    let isSilent = false;
    const child = execFile(
      "git",
      [...SETTINGS, ...(isRemote ? args.flatMap(withProgress) : args)],
      {
        cwd,
        env: { ...environment, ...variables },
        ...(signal && { signal }),
        maxBuffer: 256 * 1024 * 1024,
        encoding: "latin1",
      },
      (error, output, problem) => {
        clearTimeout(late);
        clearTimeout(silent);
        if (!error) {
          if (isSilent) onAnswer?.();
          resolve({ status: "ok", output });
        } else if (isLate) resolve({ status: "failed", problem: `timed out after ${timeoutMs / 1000} s` });
        else resolve({ status: "failed", problem: problem.trim() || error.message });
      },
    );
    const late = setTimeout(() => {
      isLate = true;
      child.kill();
    }, timeoutMs);
    const silent = setTimeout(() => {
      if (!isRemote) return;
      isSilent = true;
      onSilent?.();
    }, silentMs);
    child.stderr?.on("data", () => {
      late.refresh();
      if (!isSilent) silent.refresh();
    });
    child.stdin?.on("error", () => {}); // it ended before it read everything: its exit status says so
    child.stdin?.end(input ?? "", "latin1");
    return promise;
  };
}

const REMOTE: ReadonlySet<string> = new Set(["fetch", "push", "ls-remote"]);

/** Says how far it is, so that a slow remote is told from a silent one. */
const withProgress = (arg: string): readonly string[] =>
  arg === "fetch" || arg === "push" ? [arg, "--progress"] : [arg];

/** How the worker reaches its remotes. */
const KEPT: ReadonlySet<string> = new Set([
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_ASKPASS",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_SSL_CAINFO",
]);

const IDENTITY = {
  GIT_AUTHOR_NAME: "tildone",
  GIT_AUTHOR_EMAIL: "tildone@localhost",
  GIT_COMMITTER_NAME: "tildone",
  GIT_COMMITTER_EMAIL: "tildone@localhost",
};

const SETTINGS = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.quotePath", "false"],
  ["core.autocrlf", "false"],
  ["core.safecrlf", "false"],
  ["protocol.ext.allow", "never"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.addEmbeddedRepo", "false"],
  ["advice.detachedHead", "false"],
  ["push.gpgSign", "false"],
  ["commit.gpgSign", "false"],
].flatMap(([key, value]) => ["-c", `${key}=${value}`]);
