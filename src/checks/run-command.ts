import { type ChildProcess, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { withoutPrivate } from "../core/secret/index.ts";
import type { Clock, Timer } from "../engine/index.ts";
import { atExit, holdLifeline, type ProcessGroups, withoutInherited } from "../machine/index.ts";
import type { OutputTail } from "./output-tail.ts";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Between the request to end and the kill. */
  readonly graceMs: number;
  /** It ends before it begins where we are gone. */
  readonly lifeline?: boolean;
  /** Nothing waits for it: everything else that runs goes first. */
  readonly low?: boolean | undefined;
  /** Who ends it if this process is killed. */
  readonly groups?: ProcessGroups | undefined;
}

export type CommandEnd =
  | { readonly status: "exited"; readonly exit: number }
  | { readonly status: "killed"; readonly signal: string }
  | { readonly status: "timed_out" | "cut_short" }
  | { readonly status: "not_started"; readonly problem: string };

/**
 * Runs one command in a process group and a session of its own, without input and without a terminal. When it times out
 * or `signal` fires the whole group is asked to end and then killed; what it leaves behind in its group when it ends by
 * itself is killed too. Resolves when no process can write to its output any more.
 */
export function runCommand(
  command: Command,
  output: OutputTail,
  clock: Clock,
  signal: AbortSignal,
): Promise<CommandEnd> {
  if (signal.aborted) return Promise.resolve({ status: "cut_short" });
  const known = command.groups?.expect("check");
  const started = start(command);
  if (started instanceof Error) {
    known?.();
    return Promise.resolve({ status: "not_started", problem: started.message });
  }
  const child: ChildProcess = started;
  const drop = holdLifeline(child);
  const release = child.pid === undefined ? undefined : command.groups?.record(child.pid, "check");
  known?.();
  if (command.low && child.pid !== undefined) giveWay(child.pid);
  const { promise, resolve } = Promise.withResolvers<CommandEnd>();
  let stopped: "timed_out" | "cut_short" | undefined;
  let problem: string | undefined;
  let kill: Timer | undefined;
  let forget: (() => void) | undefined;

  const deadline = clock.setTimer(clock.now() + command.timeoutMs, () => stop("timed_out"));
  const cut = () => stop("cut_short");
  signal.addEventListener("abort", cut, { once: true });
  child.stdout?.on("data", (chunk: Buffer) => output.add(chunk));
  child.stderr?.on("data", (chunk: Buffer) => output.add(chunk));
  child.on("error", (error) => {
    problem = error.message;
  });
  child.on("exit", endGroup);
  child.on("close", (exit, by) => {
    deadline.cancel();
    signal.removeEventListener("abort", cut);
    if (!isGroupAlive(child)) endGrace();
    release?.();
    resolve(endOf(exit, by));
  });
  return promise;

  function stop(why: "timed_out" | "cut_short"): void {
    stopped ??= why;
    endGroup();
  }

  function endGroup(): void {
    deadline.cancel();
    drop();
    // bubblewrap passes nothing on, and what it confines ends with it: a request would only end those who watch over its start.
    signalGroup(child, command.lifeline ? "SIGKILL" : "SIGTERM");
    if (kill) return;
    forget = atExit(killNow); // a timer fires no more in a process that ends before it
    kill = clock.setTimer(clock.now() + command.graceMs, () => {
      killNow();
      endGrace();
      // One that left the group may still hold the pipes; do not wait for it.
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
  }

  function killNow(): void {
    signalGroup(child, "SIGKILL");
  }

  function endGrace(): void {
    kill?.cancel();
    forget?.();
  }

  function endOf(exit: number | null, by: string | null): CommandEnd {
    if (stopped) return { status: stopped };
    if (problem !== undefined) return { status: "not_started", problem };
    return exit === null ? { status: "killed", signal: by ?? "unknown" } : { status: "exited", exit };
  }
}

function start({ file, args, cwd, env, groups, lifeline = false }: Command): ChildProcess | Error {
  try {
    return spawn(file, [...args], {
      cwd,
      env: { ...withoutPrivate(env), ...groups?.mark },
      stdio: [
        "ignore",
        "pipe",
        "pipe",
        ...(lifeline ? ["pipe" as const] : []),
        ...withoutInherited().slice(lifeline ? 1 : 0),
      ],
      detached: true,
    });
  } catch (error) {
    if (error instanceof Error) return error; // an argument that no process can be given, such as a zero byte
    throw error;
  }
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // it has ended already, or may not be changed
  }
}

function signalGroup({ pid }: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGroupAlive({ pid }: ChildProcess): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** No such group; or, on some systems, one with no process left in it that may be signalled. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM");
