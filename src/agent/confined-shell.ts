import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { type BashOperations, getShellConfig } from "@earendil-works/pi-coding-agent";
import type { Confinement } from "../confine/index.ts";
import { holdLifeline, withoutInherited } from "../machine/index.ts";

type Confined = Extract<Confinement, { status: "confined" }>;

export interface ShellOptions {
  readonly shellPath: string | undefined;
  /** The variables of a call that a confined command gets. */
  readonly allow: (env: NodeJS.ProcessEnv) => Readonly<Record<string, string | undefined>>;
  /** After each command, wherever it ended. */
  readonly onEnd: () => void;
  /** Told to the model below the output of a command that failed. */
  readonly hint: (output: string) => string;
}

/**
 * Runs pi's commands confined. What a command puts in the background stays, in its enclosure, until this process ends: the command
 * is over when it says so on a pipe of its own, and bubblewrap lives for as long as anything in the enclosure does.
 */
export function confinedShell({ wrap }: Confined, options: ShellOptions): BashOperations {
  return {
    exec: async (command, cwd, { onData, signal, timeout, env = process.env }) => {
      if (signal?.aborted) throw new Error("aborted");
      const { shell, args } = getShellConfig(options.shellPath);
      const inside = wrap({
        file: "/bin/sh",
        args: ["-c", STAY, shell, ...args, command],
        cwd,
        env: options.allow(env),
      });
      const child = spawn(inside.file, [...inside.args], {
        cwd,
        env: { ...inside.env },
        detached: true,
        stdio: ["ignore", "pipe", "pipe", "pipe", "pipe", ...withoutInherited().slice(2)],
      });
      const drop = holdLifeline(child);
      const tail = collect(child, onData);
      const ended = endOf(child);
      const cut = { by: undefined as "aborted" | `timeout:${number}` | undefined };
      const stop = (by: NonNullable<typeof cut.by>) => {
        cut.by ??= by;
        drop();
        killGroup(child);
      };
      const onAbort = () => stop("aborted");
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer = timeout === undefined ? undefined : setTimeout(() => stop(`timeout:${timeout}`), millis(timeout));
      try {
        const exitCode = await ended;
        if (cut.by !== undefined) throw new Error(cut.by);
        if (exitCode !== 0) onData(Buffer.from(options.hint(tail())));
        return { exitCode };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        options.onEnd();
      }
    },
  };
}

const STATUS = 4;
/** `$0` is the shell: the command's status goes to a file of its own, then this waits until nothing but itself and the first process is left. */
const STAY = [
  `"$0" "$@" ${STATUS}>&-`,
  "code=$?",
  `echo "$code" >&${STATUS}`,
  `exec >/dev/null 2>&1 ${STATUS}>&-`,
  "while set -- /proc/[0-9]* && [ $# -gt 2 ]; do sleep 1; done",
  'exit "$code"',
].join("\n");

const MOST_MS = 2_147_483_647;

function millis(seconds: number): number {
  if (!Number.isFinite(seconds) || seconds <= 0 || seconds * 1000 > MOST_MS)
    throw new Error("Invalid timeout: must be a finite number of seconds");
  return seconds * 1000;
}

const TAIL = 4000;

/** Hands output on while the command runs, and drains what comes later: a full pipe would stop what stays in the background. */
function collect(child: ChildProcess, onData: (data: Buffer) => void): () => string {
  let tail = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      tail = (tail + chunk.toString("latin1")).slice(-TAIL);
      onData(chunk);
    });
  return () => tail;
}

/** Output that was written before the end may still be on its way. */
const QUIET_MS = 100;

function endOf(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const status = child.stdio[STATUS] as NodeJS.ReadableStream | null;
  let code: number | undefined;
  let said = "";
  let quiet: NodeJS.Timeout | undefined;
  const settle = () => {
    clearTimeout(quiet);
    child.unref();
    for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.();
    resolve(code ?? 1);
  };
  const wait = () => {
    if (code === undefined) return;
    clearTimeout(quiet);
    quiet = setTimeout(settle, QUIET_MS);
  };
  status?.on("data", (chunk: Buffer) => {
    said += chunk;
    if (!said.includes("\n")) return;
    code ??= Number.parseInt(said, 10);
    wait();
  });
  child.stdout?.on("data", wait);
  child.stderr?.on("data", wait);
  child.on("error", reject);
  child.on("close", (exit, signal) => {
    code ??= exit ?? (signal ? 128 + (constants.signals[signal] ?? 0) : 1);
    settle();
  });
  return promise;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
