import { type Store, speak } from "../engine/index.ts";
import { hashOf, runOf } from "./tokens.ts";

/** As much of a request as a button needs, whatever server took it. */
export interface ButtonRequest {
  readonly method: string;
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
}

export interface ButtonResponse {
  readonly status: 200 | 401 | 405 | 409 | 410;
  readonly headers: Readonly<Record<string, string>>;
  /** One sentence. */
  readonly body: string;
}

/**
 * Answers one press of a button. The token is all it needs and all it believes: it names one call, one answer, once. A program that mounts this
 * asks for no session and no cookie there.
 */
export function answerButton(
  { log, runs }: Pick<Store, "log" | "runs">,
  now: number,
  { method, authorization }: ButtonRequest,
): ButtonResponse {
  if (method !== "POST") return response(405, "Only POST is taken here.", { allow: "POST" });
  const token = /^Bearer (\S{1,200})$/.exec(authorization ?? "")?.[1];
  const run = token === undefined ? undefined : runOf(token);
  if (token === undefined || run === undefined || !runs.get(run)) return response(401, "This button is not known.");
  const { reply } = speak(log, run, { type: "human.press", hash: hashOf(token) }, now, { via: "button" });
  if (reply.type === "done") return response(200, reply.text === "approve" ? "Approved." : "Denied.");
  return reply.type === "refused"
    ? response(409, reply.refusal.message)
    : response(410, "The run is over; there is nothing to answer.");
}

const response = (
  status: ButtonResponse["status"],
  body: string,
  more: Readonly<Record<string, string>> = {},
): ButtonResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...more },
  body,
});
