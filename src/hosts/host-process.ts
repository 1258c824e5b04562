import type { Environment } from "../config/index.ts";
import type { Usage } from "../core/run/index.ts";

/** One JSON object that a host printed or wrote. */
export type Line = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Line => (typeof value === "object" && value !== null ? (value as Line) : {});

/** How a host is started without a terminal, and what its output says when it is over. */
export interface HostProcess {
  /** Whether the session can be named before it begins; otherwise the host tells its id. */
  readonly takesSession: boolean;
  /** Its program starts another one and passes no signal on: both are signalled. */
  readonly hasLauncher?: true;
  start(session: string, prompt: string): readonly string[];
  /** The same for a workflow, with what it is to be about; `words` begin with its name. */
  startWorkflow(session: string, words: string): readonly string[];
  /** Arguments that choose the model, in a process that starts and in one that resumes. */
  model(name: string): readonly string[];
  resume(session: string, prompt: string): readonly string[];
  sessionIn(line: Line): string | undefined;
  /** How long a turn that has to end may take to: our hooks end it in most hosts, in others only the supervisor does. */
  readonly endsWithinMs: number;
  /** How many more tools run after this line; negative where some ended. */
  toolsIn?(line: Line): number;
  /** Why the turn failed, if this line says so. */
  failureIn(line: Line): string | undefined;
  /** How what it uses can be seen from outside; absent where our adapter inside sees it. */
  readonly spend?: {
    readonly sees: "tokens" | "tokens and cost";
    readonly reader: () => ReadSpend;
    /** Where it writes it down, if its output does not tell it in time. */
    readonly files?: SessionFiles;
    /** Arguments that make it end by itself when it has spent so much. */
    readonly limit?: (cost: number) => readonly string[];
  };
  /** How it says that there is no such session: it died before it wrote down what was said in it. Absent: it makes one. */
  readonly unknownSession?: RegExp;
}

/** Where a hook ends the turn itself. */
export const ENDED_INSIDE_MS = 10_000;

/** What a host tells about one thing that it counts: an answer, a session. Later words about the same thing replace earlier ones. */
export interface SpendTold {
  readonly of: string;
  readonly usage: Usage;
}

/** Reads the lines of one process, in order: of its output, or of the file in which it keeps the session. */
export type ReadSpend = (line: Line) => SpendTold | undefined;

/** Where a host keeps its sessions, and the end of the name of one session's file. */
export interface SessionFiles {
  readonly folder: (env: Environment) => string;
  readonly nameEnd: (session: string) => string;
}

/** An amount in a line; what is none is nothing. */
export const amount = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/** How many blocks of this type a message in the shape of Anthropic's holds. */
export function blocksIn(message: unknown, type: string): number {
  const { content } = fields(message);
  return Array.isArray(content) ? content.filter((block) => fields(block).type === type).length : 0;
}
