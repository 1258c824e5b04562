import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { MessageEndEvent } from "@earendil-works/pi-coding-agent";
import { readFailure } from "../../core/run/index.ts";

const CHANNEL = "undici:request:headers";

/**
 * What a provider said beside the words of its refusal. pi hands on the words alone, and a `retry-after` stands in the
 * headers; Node tells of every answer that its own `fetch` gets. Only the newest answer of the model's server counts.
 */
export function createLimitHeaders(baseUrl: () => string | undefined) {
  let refused: Readonly<Record<string, string>> | undefined;
  const hear = (message: unknown) => {
    const answer = readAnswer(message);
    if (answer === undefined || answer.origin !== originOf(baseUrl())) return;
    refused = answer.status >= 400 ? answer.headers : undefined;
  };
  subscribe(CHANNEL, hear);
  return {
    /** Of the refusal with which the last request ended, if it was one. */
    refused: () => refused,
    withoutRetry,
    dispose: () => void unsubscribe(CHANNEL, hear),
  };

  /**
   * pi retries by itself after seconds whatever the provider asked for, unless the message of the failure gives it no
   * cause: then the turn fails, and the run waits as long as it was asked to.
   */
  function withoutRetry(message: MessageEndEvent["message"], now: number): typeof message | undefined {
    if (message.role !== "assistant" || message.stopReason !== "error") return undefined;
    const { resetAt } = readFailure({ message: message.errorMessage ?? "", headers: refused }, now);
    if (resetAt === undefined || resetAt - now <= PIS_FIRST_RETRY_MS) return undefined;
    const until = new Date(resetAt).toISOString().slice(0, 19).replace("T", " ");
    return { ...message, errorMessage: `The provider asked to wait until ${until} UTC.` };
  }
}

/** pi's own first retry comes so soon; what is over by then is left to it. */
const PIS_FIRST_RETRY_MS = 2_000;

export type LimitHeaders = ReturnType<typeof createLimitHeaders>;

interface Answer {
  readonly origin: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Names and values follow each other, as bytes or as text. */
function readAnswer(message: unknown): Answer | undefined {
  const { request, response } = message as {
    readonly request?: { readonly origin?: unknown };
    readonly response?: { readonly statusCode?: unknown; readonly headers?: unknown };
  };
  const { statusCode, headers } = response ?? {};
  if (typeof statusCode !== "number" || !Array.isArray(headers)) return undefined;
  const texts = headers.map(String);
  const pairs = texts.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), texts[at + 1] ?? ""] as const] : []));
  return { origin: String(request?.origin), status: statusCode, headers: Object.fromEntries(pairs) };
}

function originOf(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : new URL(url).origin;
  } catch {
    return undefined; // no URL: nothing that could be compared
  }
}
