import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, makeFolder } from "../../machine/index.ts";

/** Keeps what is costly to find out between processes. The caller that loads it checks that it still holds. */
export interface Kept {
  /** Undefined: nothing, or nothing that can be read. */
  load(key: string): unknown;
  save(key: string, value: unknown): void;
}

export const NOTHING_KEPT: Kept = { load: () => undefined, save: () => {} };

export function keptIn(directory: string): Kept {
  const fileOf = (key: string) => join(directory, `${hashOf("sha256", Buffer.from(key)).toString("hex", 0, 16)}.json`);
  return {
    load(key) {
      try {
        return JSON.parse(readFileSync(fileOf(key), "utf8"));
      } catch {
        return undefined; // none yet, or not ours: it is found out instead
      }
    },
    save(key, value) {
      try {
        makeFolder(directory);
        const draft = `${fileOf(key)}.${process.pid}`;
        writeFileSync(draft, JSON.stringify(value));
        renameSync(draft, fileOf(key));
      } catch {
        // A full or read-only disk costs time at the next start and nothing else.
      }
    },
  };
}
