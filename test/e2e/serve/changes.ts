import { expect } from "vitest";
import type { Change } from "../../../src/serve/index.ts";
import type { AServer } from "./a-server.ts";

export interface Heard {
  readonly id?: string;
  readonly event?: string;
  readonly change: Change;
}

/** What an open page is told, until its reader stops. */
export async function* changes({ origin, headers }: AServer, last?: string): AsyncGenerator<Heard> {
  const given = new AbortController();
  const response = await fetch(`${origin}/api/events`, {
    headers: { ...headers, ...(last !== undefined && { "last-event-id": last }) },
    signal: given.signal,
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  let text = "";
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split("\n\n");
      text = parts.pop()!;
      for (const part of parts) {
        const of = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
        if (of("data") === undefined) continue;
        yield { id: of("id")!, event: of("event")!, change: JSON.parse(of("data")!) as Change };
      }
    }
  } finally {
    given.abort();
  }
}
