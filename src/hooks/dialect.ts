import type { Capabilities } from "../engine/index.ts";
import type { Answer, EventName, Happening } from "./happening.ts";
import type { Payload } from "./payload.ts";

/** One host: what it calls its moments, how its payloads read, what it accepts as an answer. Pure, but for `readTasks`. */
export interface Dialect {
  readonly host: string;
  readonly capabilities: Capabilities;
  /** The host's names for our moments; a moment that is missing does not exist there. */
  readonly names: Partial<Readonly<Record<EventName, readonly string[]>>>;
  /** Its tools are hidden behind a search: an agent that is to use ours must hear their names. */
  readonly hidesTools: boolean;
  /** It calls the prompt hook for what the stop hook answered, too. */
  readonly announcesTurns: boolean;
  /** Where an answer of ours ends the turn; absent: nowhere. */
  readonly endsTurnAt?: EventName;
  /** It shows you nothing of what sends the agent on. */
  readonly hidesNudges: boolean;
  /** The command that brings you back into a session. */
  readonly resumed: (session: string) => string;
  /** Where it keeps the transcript of a session, where no hook said it; absent: nothing finds it. Throws before there is any. */
  readonly transcript?: (session: string, places: Places) => string | undefined;
  /** What stands in its transcript twice, and would leave no room for the rest of it. */
  readonly repeats?: RegExp;
  /** Its own list, where it keeps it in files. */
  readonly tasks?: (session: string, places: Places) => readonly Payload[];
  /** What its MCP server does not learn by itself: the hook adds it to the arguments of our own tools. */
  readonly addsTo: (payload: Payload, env: Environment) => Readonly<Record<string, string>> | undefined;
  readonly read: (event: EventName, payload: Payload, files: HostFiles) => Happening | undefined;
  /** How the host wrote down that its last turn was cut short, if that is the last thing that happened; absent: a hook tells. */
  readonly cutIn?: (transcriptEnd: string) => Cut | undefined;
  /** Whether a line of its transcript is something that the model reads, and not what became of a hook. */
  readonly isRead: (line: string) => boolean;
  readonly write: (event: EventName, answer: Answer) => object | undefined;
}

/** You ended the turn, or the provider failed, in its words. */
export interface Cut {
  readonly line: string;
  readonly failure?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface Places {
  readonly env: Environment;
  readonly home: string;
}

/** What a host keeps beside its payload. */
export interface HostFiles {
  /** Where its files are looked for. */
  readonly places: Places;
  /** The host's own list, where it stands in files. */
  readonly readTasks: () => readonly Payload[];
  /** The end of the transcript as soon as this is so, or as it is a moment later: hosts write it when they get to it. */
  readonly transcriptOnce: (isSo: (transcript: string) => boolean) => string;
  /** The same, as soon as it holds these words. */
  readonly transcriptWith: (words: string) => string;
  /** How long the transcript is: it grows with every message. */
  readonly transcriptSize: () => number | undefined;
  /** The end of the transcript, as far as the last few messages reach. */
  readonly transcriptEnd: () => string;
  /** Whether the process that started our server ended, now or in a few seconds. */
  readonly hostIsGone: () => boolean;
}
