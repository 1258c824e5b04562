import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../engine/index.ts";
import { watchProcess } from "./watch-process.ts";

/** What git answered. `missing`: there is no git here. */
export type GitAnswer =
  | { readonly status: "ok"; readonly output: Buffer }
  | { readonly status: "failed"; readonly problem: string }
  /** `stuck`: it did nothing for a while, as before a pipe that no process writes to. */
  | { readonly status: "missing" | "timed_out" | "stuck" | "too_long" };

export type Git = (cwd: string, args: readonly string[], more?: GitMore) => Promise<GitAnswer>;

export interface GitMore {
  readonly input?: string | Uint8Array;
  readonly settings?: readonly Setting[];
  /** Which repository, index and folder are meant, where it is not the one that `cwd` lies in. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A key may hold a `=` in its middle, so settings go to git by its environment, never as `key=value`. */
export type Setting = readonly [key: string, value: string];

export interface GitPorts {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

const PIPES_MS = 2_000;
const LONGEST_OUTPUT = 256 * 1024 * 1024;

/**
 * Calls git so that it only looks: it takes no locks, runs nothing that the repository's config names, reaches for no
 * network, and does not continue forever. A repository is untrusted; it may belong to another user.
 */
export function createGit({ clock, env, timeoutMs }: GitPorts): Git {
  const environment = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_"))),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none", // beats whatever the repository's config allows
    LC_ALL: "C",
  };

  return (cwd, args, { input, settings = [], variables } = {}) => {
    const { promise, resolve } = Promise.withResolvers<GitAnswer>();
    const child = spawn("git", args, {
      cwd,
      env: { ...environment, ...asVariables([...HARMLESS, ...settings]), ...variables },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
    child.stdin?.on("error", () => {}); // it ended before it read everything: its exit status says so
    child.stdin?.end(input);
    const output: Buffer[] = [];
    let size = 0;
    let problem = "";
    let ended: GitAnswer | undefined;
    const deadline = clock.setTimer(clock.now() + timeoutMs, () => end({ status: "timed_out" }));
    const unwatch = watchProcess(clock, child.pid, () => end({ status: "stuck" }));
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > LONGEST_OUTPUT) end({ status: "too_long" });
      else output.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (problem.length < 2000) problem += chunk.toString("utf8");
    });
    child.on("error", (error) => {
      ended ??= { status: "missing" };
      problem = error.message;
    });
    let isOver: ReturnType<Clock["setTimer"]> | undefined;
    child.on("exit", (exit) => overSoon(exit));
    child.on("close", (exit) => over(exit));
    return promise;

    function end(answer: GitAnswer): void {
      ended ??= answer;
      child.kill("SIGKILL");
      overSoon(null);
    }

    /** Its pipes may stay open in another's hands, and a runtime may never say that they were closed: do not wait for that. */
    function overSoon(exit: number | null): void {
      isOver ??= clock.setTimer(clock.now() + PIPES_MS, () => overWhenRead(exit, size));
    }

    /** On a busy machine the time is over before the output was read: what lies in the pipe is read first, and given more time. */
    function overWhenRead(exit: number | null, before: number): void {
      setImmediate(() =>
        setImmediate(() => {
          if (size === before) return over(exit);
          isOver = undefined;
          overSoon(exit);
        }),
      );
    }

    function over(exit: number | null): void {
      for (const timer of [deadline, isOver]) timer?.cancel();
      unwatch();
      resolve(ended ?? (exit === 0 ? { status: "ok", output: Buffer.concat(output) } : { status: "failed", problem }));
    }
  };
}

const asVariables = (settings: readonly Setting[]): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", `${settings.length}`],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);

/** Listed by git if it takes settings from its environment, which it does since 2.31. */
export const PROBE = "tildone.probe";

const HARMLESS: readonly Setting[] = [
  [PROBE, "1"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["core.gitProxy", "false"],
  ["core.alternateRefsCommand", "false"],
  ["core.untrackedCache", "false"],
  // Whatever the repository says, a changed file is a changed file.
  ["core.ignoreStat", "false"],
  ["core.trustctime", "true"],
  ["core.checkStat", "default"],
  ["core.quotePath", "false"],
  ["status.renames", "false"],
  ["status.submoduleSummary", "false"],
  ["protocol.allow", "never"],
  ["protocol.ext.allow", "never"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
];
