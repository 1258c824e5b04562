import type { HostName } from "../dialect.ts";
import type { Answer, EventName, Happening } from "../happening.ts";
import type { Payload } from "../payload.ts";

/** What a hook asks the server of its session, as one line of JSON. */
export interface Question {
  readonly v: typeof QUESTION_VERSION;
  readonly host: HostName;
  readonly event: EventName;
  readonly session: string;
  readonly happening: Happening;
  readonly payload: Payload;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Raised whenever a question or its answer means something else: a server that was started before an update is not asked. */
export const QUESTION_VERSION = 1;

/** What it is answered with, in one line, too. */
export interface Answered {
  readonly answer?: Answer;
}

/** The server is awake and has understood the question. */
export const READY = "ready";
/** The hook is still there and leaves the matter to the server; without this nothing happens. */
export const GO = "go";

/** Whole lines out of what arrives piece by piece. */
export function lines(take: (line: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop()!;
    for (const line of parts) take(line);
  };
}
