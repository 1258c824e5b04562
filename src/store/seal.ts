import type { Audit } from "../engine/index.ts";
import { hashOf } from "../machine/index.ts";
import type { EventRow } from "./row.ts";

/** A row with what seals it; `null` for rows that are older than seals. */
export type SealedRow = readonly [...EventRow, seal: string | null];

/** The end of a run's log as its last writer left it: shows rows that were cut off at the end. */
export interface Head {
  readonly seq: number;
  readonly seal: string;
}

/**
 * Each row is sealed together with the seal before it, over the bytes that are stored: a row that is changed, added
 * or taken out breaks the chain there. Without a key every program can seal anew, so it shows accidents; with one it
 * shows forgers too, as long as they cannot read the key.
 */
export function sealOf(previous: string | undefined, run: string, row: EventRow, key: string | undefined): string {
  const text = JSON.stringify([previous ?? "", run, ...row]);
  if (key === undefined) return `${PLAIN}${hashOf("sha256", Buffer.from(text)).toString("base64url")}`;
  // Not imported: a process that signs nothing need not load it.
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return `${SIGNED}${createHmac("sha256", key).update(text).digest("base64url")}`;
}

const PLAIN = "p:";
const SIGNED = "s:";
const isSigned = (seal: string): boolean => seal.startsWith(SIGNED);

/** Looks at a log page by page and says where it is not as it was written. */
export function createAuditor(run: string, key: string | undefined) {
  const breaks: { seq: number; problem: string }[] = [];
  let at = 0;
  let previous: string | undefined;
  const counts = { sealed: 0, unsealed: 0, signed: 0, unverified: 0 };

  return { take, end };

  function take([seq, time, by, v, event, seal]: SealedRow): void {
    if (seq !== at + 1) broken(at + 1, seq - at === 2 ? "is missing" : `to ${seq - 1} are missing`);
    at = seq;
    if (seal === null) {
      if (previous === undefined) counts.unsealed++;
      else broken(seq, "was added without a seal");
      return;
    }
    counts.sealed++;
    if (isSigned(seal)) counts.signed++;
    else if (previous !== undefined && isSigned(previous)) broken(seq, "is not signed, although the one before it is");
    if (isSigned(seal) && key === undefined) counts.unverified++;
    else if (sealOf(previous, run, [seq, time, by, v, event], isSigned(seal) ? key : undefined) !== seal)
      broken(seq, "was changed, or what stood before it was");
    previous = seal;
  }

  function end(head: Head | undefined): Audit {
    if (head && head.seq > at) broken(at + 1, `to ${head.seq} were cut off at the end`);
    else if (head && head.seq === at && head.seal !== previous) broken(at, "is not the one that was written last");
    else if (head && head.seq < at) broken(head.seq + 1, "was not added by tildone");
    return { ...counts, breaks };
  }

  function broken(seq: number, problem: string): void {
    if (breaks.length < MOST_BREAKS) breaks.push({ seq, problem });
  }
}

const MOST_BREAKS = 20;
