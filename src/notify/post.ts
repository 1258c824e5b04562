import type { Sending } from "./parcel.ts";
import type { World } from "./world.ts";

export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly ms: number;
}

/** Posts JSON. What a server answers is told in a line; that it cannot be reached, or fails, may be over soon. */
export async function post(world: World, { url, headers, body, ms }: Posted): Promise<Sending> {
  try {
    const { status, text } = await world.fetch(url, {
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ms,
    });
    if (status >= 200 && status < 300) return { status: "delivered", said: `HTTP ${status}` };
    if (status >= 300 && status < 400)
      return { status: "failed", why: `HTTP ${status}: it points elsewhere; set the final address`, mayRetry: false };
    const why = `HTTP ${status}${text.trim() === "" ? "" : `: ${oneLine(text)}`}`;
    return { status: "failed", why, mayRetry: status >= 500 || status === 429 || status === 408 };
  } catch (error) {
    return { status: "failed", why: reasonOf(error, ms), mayRetry: true };
  }
}

const LONGEST = 200;
const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, LONGEST);

/** Never the address: it may be as good as a password. */
function reasonOf(error: unknown, ms: number): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
  if (name === "TimeoutError" || name === "AbortError") return `no answer within ${ms / 1000} s`;
  return cause?.code === undefined ? "the server cannot be reached" : `the server cannot be reached (${cause.code})`;
}
