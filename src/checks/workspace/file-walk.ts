import { type Dirent, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../engine/index.ts";
import { ContentSum, entryOf } from "./content-sum.ts";
import { createFileContents } from "./file-contents.ts";

/** The state of a directory without git: every file below it, except what tools put there. */
export interface FileWalk {
  observe(): Promise<string | undefined>;
}

const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);
const MOST_FILES = 100_000;
/** The event loop gets its turn after so many files. */
const AT_ONCE = 500;

export function createFileWalk(clock: Clock, cwd: string, mostFiles = MOST_FILES): FileWalk {
  const contents = createFileContents(clock, "sha1");
  const root = Buffer.from(cwd).toString("latin1");

  return {
    async observe() {
      const top = list(root);
      if (!top) return undefined;
      const sum = new ContentSum();
      contents.begin();
      let files = 0;
      // Breadth first and in order: where the bound cuts, it cuts at the same place each time.
      const queue: string[] = [];
      visit("", top);
      for (let next = queue.shift(); next !== undefined && files < mostFiles; next = queue.shift()) {
        const before = Math.floor(files / AT_ONCE);
        visit(next, list(`${root}/${next}`) ?? []);
        if (Math.floor(files / AT_ONCE) > before) await setImmediate();
      }
      return sum.fingerprint();

      function visit(directory: string, entries: readonly Dirent<Buffer>[]): void {
        for (const entry of entries) {
          const name = entry.name.toString("latin1");
          if (LEFT_OUT.has(name)) continue;
          const path = directory === "" ? name : `${directory}/${name}`;
          if (entry.isDirectory()) queue.push(path);
          else if (files++ < mostFiles) {
            const content = contents.of(`${root}/${path}`);
            if (content) sum.add(entryOf(content.mode, content.oid, path));
          }
        }
      }
    },
  };
}

/** Undefined: not there, or not ours to read. */
function list(path: string): readonly Dirent<Buffer>[] | undefined {
  try {
    const entries = readdirSync(Buffer.from(path, "latin1"), { withFileTypes: true, encoding: "buffer" });
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // it vanished, or it is closed to us
    throw error;
  }
}
