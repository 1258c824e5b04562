import type { Clock } from "../../engine/index.ts";
import { ContentSum, entryOf } from "./content-sum.ts";
import { createFileContents } from "./file-contents.ts";
import { walkFiles } from "./walk-files.ts";

/** The state of a directory without git: every file below it, except what tools put there. */
export interface FileWalk {
  observe(): Promise<string | undefined>;
}

const MOST_FILES = 100_000;
/** The event loop gets its turn after so many files. */
const AT_ONCE = 500;

export function createFileWalk(
  clock: Clock,
  cwd: string,
  mostFiles = MOST_FILES,
  own: readonly string[] = [],
): FileWalk {
  const contents = createFileContents(clock, "sha1", own);
  const root = Buffer.from(cwd).toString("latin1");

  return {
    async observe() {
      const files = walkFiles(root, mostFiles);
      if (!files) return undefined;
      const sum = new ContentSum();
      contents.begin();
      let looked = 0;
      for (const path of files) {
        const content = contents.of(`${root}/${path}`);
        if (content) sum.add(entryOf(content.mode, content.oid, path));
        if (++looked % AT_ONCE === 0) await new Promise((next) => setImmediate(next));
      }
      return sum.fingerprint();
    },
  };
}
