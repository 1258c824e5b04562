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

export function fleetGit(
  env: Readonly<Record<string, string | undefined>>,
  { timeoutMs = 120_000, signal }: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
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
    const child = execFile(
      "git",
      [...SETTINGS, ...args],
      {
        cwd,
        env: { ...environment, ...variables },
        timeout: timeoutMs,
        ...(signal && { signal }),
        maxBuffer: 256 * 1024 * 1024,
        encoding: "latin1",
      },
      (error, output, problem) => {
        if (!error) resolve({ status: "ok", output });
        else if (error.killed) resolve({ status: "failed", problem: `timed out after ${timeoutMs / 1000} s` });
        else resolve({ status: "failed", problem: problem.trim() || error.message });
      },
    );
    child.stdin?.on("error", () => {}); // it ended before it read everything: its exit status says so
    child.stdin?.end(input ?? "", "latin1");
    return promise;
  };
}

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
