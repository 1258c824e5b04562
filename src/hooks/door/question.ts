import type { Answer, EventName, Happening } from "../happening.ts";
import type { Payload } from "../payload.ts";
import type { Likeness } from "./likeness.ts";

/** What a hook asks the server of its session, as one line of JSON. */
export interface Question {
  readonly v: typeof QUESTION_VERSION;
  readonly host: string;
  readonly event: EventName;
  readonly session: string;
  readonly happening: Happening;
  readonly payload: Payload;
  /** From a file that only the user may read. */
  readonly secret: string;
  /** Of the hook's environment; the environment itself is never sent, and the server uses its own. */
  readonly like: Likeness;
}

/** Raised whenever a question or its answer means something else: a server that was started before an update is not asked. */
export const QUESTION_VERSION = 4;

/** What it is answered with, in one line, too. */
export interface Answered {
  readonly answer?: Answer;
  /** The log stayed locked for as long as anybody may wait for it: the hook need not try again. */
  readonly failed?: string;
}

/** The server is awake and has understood the question. */
export const READY = "ready";
/** The hook is still there and leaves the matter to the server; without this nothing happens. */
export const GO = "go";

/** A question holds what a tool printed. One that is larger is not asked: the hook does the work itself. */
export const LARGEST_QUESTION = 1024 * 1024;

/** Whole lines out of what arrives piece by piece; each piece is looked at once. */
export function lines(take: (line: string) => void): (chunk: string) => void {
  const pieces: string[] = [];
  return (chunk) => {
    const [first, ...others] = chunk.split("\n");
    pieces.push(first!);
    for (const piece of others) {
      take(pieces.splice(0).join(""));
      pieces.push(piece);
    }
  };
}
