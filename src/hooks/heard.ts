import { createReadStream, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { carriedMark } from "../core/words/index.ts";

/** What was said a moment ago stands at the end; a transcript of weeks is not read for it. */
const MOST_BYTES = 16_000_000;
/** Hosts write down what they were answered when they get to it. */
const LOOKS = 20;
const LOOK_EVERY_MS = 50;

/**
 * Which of these messages stand in the host's transcript, in a line that the model reads. Undefined: it keeps none that we could find,
 * and whether they were heard is not known.
 */
export async function heardIn(
  transcript: string | undefined,
  ids: readonly string[],
  isRead: (line: string) => boolean,
): Promise<readonly string[] | undefined> {
  if (transcript === undefined) return undefined;
  let heard: readonly string[] | undefined;
  let known: number | undefined;
  for (let look = 0; look < LOOKS && (heard?.length ?? 0) < ids.length; look++) {
    if (look > 0) await pause(LOOK_EVERY_MS);
    const size = statSync(transcript, { throwIfNoEntry: false })?.size;
    if (size === undefined) return undefined;
    if (size === known) continue;
    known = size;
    heard = await lookFor(transcript, Math.max(0, size - MOST_BYTES), ids, isRead);
    if (heard === undefined) return undefined;
  }
  return heard;
}

async function lookFor(
  transcript: string,
  start: number,
  ids: readonly string[],
  isRead: (line: string) => boolean,
): Promise<readonly string[] | undefined> {
  const file = createReadStream(transcript, { encoding: "utf8", start });
  const found = new Set<string>();
  try {
    for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY }))
      for (const id of ids) if (line.includes(carriedMark(id)) && isRead(line)) found.add(id);
  } catch {
    return undefined; // it cannot be read
  } finally {
    file.destroy();
  }
  return ids.filter((id) => found.has(id));
}
