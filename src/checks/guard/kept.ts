import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../engine/index.ts";
import { makeFolder } from "../../machine/index.ts";

/** A folder of texts and contents by name, for as long as a run may need them. */
export interface Kept {
  has(name: string): boolean;
  read(name: string): Buffer | undefined;
  write(name: string, content: string | Buffer): void;
  /** Removes what nobody used for long. */
  tidy(): void;
}

const KEPT_MS = 60 * 24 * 60 * 60_000;

export function createKept(directory: string, clock: Clock): Kept {
  const fileOf = (name: string) => join(directory, name.replace(/[^\w.-]/g, "_"));
  return {
    has: (name) => statSync(fileOf(name), { throwIfNoEntry: false }) !== undefined,
    read(name) {
      try {
        const content = readFileSync(fileOf(name));
        utimesSync(fileOf(name), clock.now() / 1000, clock.now() / 1000);
        return content;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    write(name, content) {
      makeFolder(directory, 0o700);
      const draft = `${fileOf(name)}.${process.pid}.draft`;
      writeFileSync(draft, content, { mode: 0o600 });
      renameSync(draft, fileOf(name));
    },
    tidy() {
      for (const name of list(directory)) {
        const stat = statSync(join(directory, name), { throwIfNoEntry: false });
        if (stat && clock.now() - stat.mtimeMs > KEPT_MS) rmSync(join(directory, name), { force: true });
      }
    },
  };
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
