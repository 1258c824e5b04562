import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Dialect, Places } from "./dialect.ts";
import { type Payload, textAt } from "./payload.ts";

/** The transcript that the host names, and else the one that we find. */
export const transcriptOf = (
  payload: Payload,
  dialect: Pick<Dialect, "transcript">,
  session: string,
  places: Places,
): string | undefined => textAt(payload, "transcript_path") ?? findTranscript(dialect, session, places);

/** Undefined: there is none yet, or none that we could find. */
export function findTranscript(
  { transcript }: Pick<Dialect, "transcript">,
  session: string,
  places: Places,
): string | undefined {
  try {
    return transcript?.(session, places);
  } catch {
    return undefined; // it has not written anything yet
  }
}

/** The last bytes of a file and how long it is; a transcript grows to many megabytes. */
export function endOf(path: string, bytes: number): { readonly size: number; readonly text: string } {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return { size, text: buffer.toString("utf8", 0, read) };
  } finally {
    closeSync(file);
  }
}
