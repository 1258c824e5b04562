import { hashOf } from "../../machine/index.ts";

const LANES = 8;

/**
 * A fingerprint of a set of files that can be changed file by file: the sum of the hashes of its entries. The order of
 * entries does not matter, so a file that is staged or committed with the same content changes nothing.
 */
export class ContentSum {
  readonly #lanes: Uint32Array;

  constructor(lanes: readonly number[] = []) {
    this.#lanes = Uint32Array.from({ length: LANES }, (_, lane) => lanes[lane] ?? 0);
  }

  add(entry: Entry): void {
    const digest = digestOf(entry);
    for (let lane = 0; lane < LANES; lane++) this.#lanes[lane]! += digest.readUInt32LE(lane * 4);
  }

  remove(entry: Entry): void {
    const digest = digestOf(entry);
    for (let lane = 0; lane < LANES; lane++) this.#lanes[lane]! -= digest.readUInt32LE(lane * 4);
  }

  copy(): ContentSum {
    return new ContentSum(this.lanes);
  }

  get lanes(): readonly number[] {
    return [...this.#lanes];
  }

  /** Short and the same on every machine. */
  fingerprint(): string {
    return hashOf("sha256", Buffer.from(this.lanes.join(" "))).toString("hex", 0, 16);
  }
}

/** Bytes; in a string each character is one of them (latin1), since a path need not be UTF-8. */
type Entry = string | Uint8Array;

const digestOf = (entry: Entry): Buffer =>
  hashOf("sha256", typeof entry === "string" ? Buffer.from(entry, "latin1") : entry);

/** One file as it enters the sum: what `git ls-tree` prints for it, so that committed files need no work. */
export const entryOf = (mode: string, oid: string, path: string): string =>
  `${mode} ${mode === "160000" ? "commit" : "blob"} ${oid}\t${path}`;
