import { createHash } from "node:crypto";

/** The end of an output of any length in bounded memory, and a digest of the whole. */
export interface OutputTail {
  add(chunk: Buffer): void;
  /** The last bytes as text; a character cut at the front is left out. */
  text(): string;
  digest(): string;
  /** How much was dropped at the front. */
  readonly dropped: number;
}

export function createOutputTail(keepBytes: number): OutputTail {
  const hash = createHash("sha256");
  let kept: Buffer[] = [];
  let size = 0;
  let dropped = 0;

  return {
    add(chunk) {
      hash.update(chunk);
      kept.push(chunk);
      size += chunk.length;
      if (size > keepBytes * 2) trim(); // in one go, so that many small chunks stay cheap
    },
    text() {
      trim();
      const bytes = Buffer.concat(kept);
      const start = dropped > 0 ? bytes.findIndex(isFirstByte) : 0;
      return bytes.subarray(Math.max(start, 0)).toString("utf8");
    },
    digest: () => hash.copy().digest("hex").slice(0, 32),
    get dropped() {
      return dropped + Math.max(0, size - keepBytes);
    },
  };

  function trim(): void {
    if (size <= keepBytes) return;
    dropped += size - keepBytes;
    kept = [Buffer.from(Buffer.concat(kept).subarray(size - keepBytes))];
    size = keepBytes;
  }
}

/** In UTF-8 every byte but a character's first begins with the bits 10. */
const isFirstByte = (byte: number): boolean => (byte & 0xc0) !== 0x80;
