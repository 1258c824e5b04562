import type { Folder } from "../../../src/fleet/runner/folder.ts";
import { type Imported, importRows, type LocalLog } from "../../../src/fleet/runner/local-log.ts";
import { memoryStore } from "../../../src/store/index.ts";

/** So many rows are read at a time: few, so that there are often more. */
const BATCH = 4;

/** The log of a run on a machine without disks. */
export function simulatedLog(run: string, cwd: string, imported: Imported): LocalLog {
  const store = memoryStore();
  importRows(store, run, cwd, imported);
  const last = () => store.log.last(run);
  return {
    store,
    last,
    writes: last,
    rowsAfter: (seq) =>
      store.log.read(run, seq, BATCH).events.map((row) => ({ ...row, event: JSON.stringify(row.event) })),
    card: () => store.runs.get(run),
    close: () => {},
  };
}

export function simulatedFolder(): Folder {
  const files = new Map<string, Buffer>();
  return {
    names: () => [...files.keys()],
    read: (name) => files.get(name)!,
    write: (name, bytes) => void files.set(name, Buffer.from(bytes)),
    remove: () => files.clear(),
  };
}
