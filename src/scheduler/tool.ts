import type { Claim, ToolKind } from "../core/call/index.ts";

/** Something the agent can call. Only `run` does anything; everything else says beforehand what it would do. */
export interface Tool<Args = unknown> {
  readonly name: string;
  readonly kind: ToolKind;
  /** Where it came from, when it is not ours: rules may speak of it, a name alone proves nothing. */
  readonly server?: string;
  /** Works while nothing else does. */
  readonly exclusive?: boolean;
  /** How long it may work, without the time a user is asked. Absent: as long as it takes. */
  readonly deadlineMs?: number;
  /** Absent: any arguments are taken as they are. */
  parse?(args: unknown): Parsed<Args>;
  /**
   * The paths it would touch. Absent: a tool that edits, executes or is unknown is taken to write anywhere in the run's
   * directory, every other one to touch nothing. A tool that truly touches nothing says `[]`.
   */
  claims?(args: Args): readonly Claim[];
  /** The shell line it would run, if it is a shell. */
  command?(args: Args): string | undefined;
  /** The same arguments with another shell line. Absent: a command can be edited only where its arguments are known. */
  withCommand?(args: Args, command: string): unknown;
  /** What it would do, in one line. */
  describe?(args: Args): string;
  /** All of what it would change, as the files are now, for you to approve. Absent: its command, or its arguments. */
  preview?(args: Args): Preview | Promise<Preview>;
  /** Gives the result or a promise of it; throws when it failed. `TransientError` is tried once more. */
  run(args: Args, call: CallContext): unknown;
}

/** What a call would change, to be shown before it runs. */
export interface Preview {
  readonly text: string;
  /** What must still be the same when it runs: an approved call that would change something else by then is refused. */
  readonly binds: string;
}

/** Arguments that a tool accepts, or what is wrong with them. */
export type Parsed<Args> =
  | { readonly ok: true; readonly args: Args }
  | { readonly ok: false; readonly path: string; readonly message: string };

/** What a tool knows of the call it works for. */
export interface CallContext {
  readonly id: string;
  /** 2 when the first attempt failed in passing. */
  readonly attempt: number;
  /** Aborted when the call is cancelled or its time is up. What comes after a short grace is too late. */
  readonly signal: AbortSignal;
  /** What the tool said it would touch, when it was judged: by now the same words may lead elsewhere. */
  readonly judged: readonly Claim[];
  /** Whether a rule denies this tool to read a file that it found on its way. */
  mayRead(path: string): boolean;
  /** Output while it works; the end of it is kept. */
  print(text: string): void;
  /** Asks the user in the middle of the work; the deadline stands still meanwhile. Rejects when the call is cancelled. */
  ask(question: Question): Promise<Permission>;
}

/** What a tool asks you while it works. */
export interface Question {
  readonly what: string;
  readonly because: string;
}

/** Your answer to a question of a tool. */
export interface Permission {
  readonly granted: boolean;
  /** What the user said with it. */
  readonly words: string;
}

/** A failure that may be gone at once: a lost connection, a lock that another process held. */
export class TransientError extends Error {
  override readonly name = "TransientError";
}

/** Where the scheduler looks tools up. */
export interface ToolBox {
  find(name: string): Tool | undefined;
  names(): readonly string[];
}

/** Tools by their names. */
export function toolBox(tools: readonly Tool[]): ToolBox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return { find: (name) => byName.get(name), names: () => [...byName.keys()] };
}
