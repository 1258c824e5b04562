import { once } from "node:events";
import { homedir } from "node:os";
import { PRIVATE_VARIABLES } from "../core/secret/index.ts";
import { terminalAlert } from "../core/text/index.ts";
/** The terminal, the environment and the clock as a command sees them; tests give their own. */
import { errorCode, isHangUpIgnored, lineageOf, type ProcessFact } from "../machine/index.ts";
import { terminalSafe } from "./terminal-safe.ts";

export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Resolves when the reader has taken most of what was printed: what prints without end waits for it now and then. */
  readonly taken?: () => Promise<void>;
  /** Draws your eye to the terminal: the bell, a notification. Nothing where standard output is none. */
  readonly alert: (text: string) => void;
  /** Standard output is a terminal that a human looks at. */
  readonly isTerminal: boolean;
  /** A human sits there and can type: standard input is the terminal too. */
  readonly isInteractive: boolean;
  readonly columns: number;
  readonly hasColour: boolean;
  /** Without what is for tildone alone: a program that is started with it, or reads it, learns nothing of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `TILDONE_DATABASE_URL`, which is not in `env`. */
  readonly databaseUrl?: string | undefined;
  readonly cwd: string;
  /** It was deleted. */
  readonly isFolderGone?: boolean;
  readonly home: string;
  /** This process and everything above it. Absent: it is not looked up. */
  readonly lineage?: () => readonly ProcessFact[];
  /** What was typed after `tildone`. Absent: nothing was typed. */
  readonly argv?: readonly string[];
  readonly now: () => number;
  /** Asks on the terminal; undefined where you cannot be asked, or no answer is needed any more. */
  readonly ask: (question: string, how?: AskHow) => Promise<string | undefined>;
  /** Resolves after that time, or at once when the command is told to end. */
  readonly pause: (ms: number) => Promise<void>;
  /** Again and again, until what it gives is called; it keeps no process alive. */
  readonly every: (ms: number, act: () => void) => () => void;
  /** Aborted by SIGINT, SIGTERM or SIGHUP; `reason` is the exit code. */
  readonly signal: AbortSignal;
  /** Aborted by the second of them. */
  readonly signalAgain: AbortSignal;
  /** From now on there is work that must be put down in order: a reader of our output that exits is a signal, too. */
  readonly works: () => void;
}

export interface AskHow {
  /** Aborted: the question is closed. */
  readonly signal?: AbortSignal;
  /** What stands there already, to be changed. */
  readonly draft?: string;
  /** It comes unexpected: keys that were pressed before it was shown are not an answer to it. */
  readonly isSudden?: boolean;
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const SIGPIPE_EXIT = 141;
/** What writing to a pipe or a terminal that is gone ends with. */
const GONE: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO", "ENXIO", "ERR_STREAM_DESTROYED"]);

export function processIo(): Io {
  const { stdout, stderr, stdin, env } = process;
  const databaseUrl = env.TILDONE_DATABASE_URL;
  for (const name of PRIVATE_VARIABLES) delete env[name];
  const ended = new AbortController();
  const again = new AbortController();
  const isDetached = isHangUpIgnored(env);
  for (const [name, code] of Object.entries(SIGNALS))
    process.on(name, () => (name === "SIGHUP" && isDetached ? undefined : signalled(code)));
  process.on("SIGXFSZ", () => {}); // a file that may not grow is an error of the write, which is said, and not our death
  let count = 0;
  let isWork = false;
  let isReaderGone = false;
  function signalled(code: number): void {
    count++;
    if (count === 1) ended.abort(code);
    else if (count === 2) again.abort(code);
    else process.exit(code); // the third signal ends it at once
  }
  // `tildone log | head` closes the pipe early: that is no error, and nothing is left to do. A run is interrupted by it.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (!GONE.has(error.code)) throw error;
    if (!isWork) process.exit(0);
    if (isReaderGone) return;
    isReaderGone = true;
    if (count === 0) signalled(SIGPIPE_EXIT);
  });
  stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (!GONE.has(error.code)) throw error;
  });
  return {
    out: (text) => void (isReaderGone || stdout.write(`${terminalSafe(text)}\n`)),
    taken: async () => {
      if (!isReaderGone && stdout.writableNeedDrain) await once(stdout, "drain").catch(() => {});
    },
    err: (text) => void stderr.write(`${terminalSafe(text)}\n`),
    alert: (text) => void (stdout.isTTY && !isReaderGone && stdout.write(terminalAlert(text, env))),
    isTerminal: stdout.isTTY === true,
    isInteractive: stdout.isTTY === true && stdin.isTTY === true,
    columns: Math.max(40, stdout.columns ?? 80),
    hasColour: wantsColour(env, stdout.isTTY === true),
    env,
    databaseUrl,
    ...currentFolder(),
    home: homedir(),
    lineage: () => lineageOf(),
    now: () => Date.now(),
    ask: async (question, { signal, draft, isSudden } = {}) => {
      if (!stdin.isTTY || !stdout.isTTY || signal?.aborted || ended.signal.aborted) return undefined;
      const { createInterface } = await import("node:readline/promises");
      if (isSudden) await drained(stdin);
      const lines = createInterface({ input: stdin, output: stdout });
      lines.on("SIGINT", () => signalled(SIGNALS.SIGINT)); // the terminal hands Ctrl-C to the program that reads it
      try {
        const answer = lines.question(question, {
          signal: AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]),
        });
        if (draft !== undefined) lines.write(draft);
        return await answer;
      } catch {
        return undefined; // closed: by Ctrl-C, or because the answer came from elsewhere
      } finally {
        lines.close();
      }
    },
    pause: (ms) =>
      new Promise((resolve) => {
        if (ended.signal.aborted) return resolve();
        const timer = setTimeout(resolve, ms);
        ended.signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    every: (ms, act) => {
      const timer = setInterval(act, ms).unref();
      return () => clearInterval(timer);
    },
    signal: ended.signal,
    signalAgain: again.signal,
    works: () => {
      isWork = true;
    },
  };
}

/** NO_COLOR wins, then FORCE_COLOR; otherwise a terminal that can. */
export function wantsColour(env: Io["env"], isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return !["0", "false"].includes(env.FORCE_COLOR);
  return isTerminal && env.TERM !== "dumb";
}

/** It may have been deleted meanwhile: then it is what the shell calls it, and holding a run still works. */
function currentFolder(): Pick<Io, "cwd" | "isFolderGone"> {
  try {
    return { cwd: process.cwd() };
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    process.chdir("/"); // or everything that asks where it is fails
    return { cwd: process.env.PWD ?? "/", isFolderGone: true };
  }
}

/** What was typed before anybody asked is thrown away. */
async function drained(stdin: NodeJS.ReadStream): Promise<void> {
  const ignore = () => {};
  stdin.setRawMode(true);
  stdin.on("data", ignore);
  await new Promise((done) => setTimeout(done, TYPED_BEFORE_MS));
  stdin.off("data", ignore);
  stdin.setRawMode(false);
}

/** Longer than a terminal takes to hand over what it holds. */
const TYPED_BEFORE_MS = 50;
