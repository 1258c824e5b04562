import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../src/engine/index.ts";
import { memoryStore, openStore } from "../../src/store/index.ts";

/** Where the log lives. What is on it survives a crash; `reopen` is what the next process does. */
export interface Disk {
  readonly store: Store;
  reopen(): Promise<void>;
  close(): void;
}

export type DiskKind = "memory" | "sqlite";

export async function openDisk(kind: DiskKind): Promise<Disk> {
  if (kind === "memory") return { store: memoryStore(), reopen: async () => {}, close: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "tildone-sim-"));
  const path = join(folder, "runs.db");
  let store = await openStore({ path });
  return {
    get store() {
      return store;
    },
    async reopen() {
      store.close();
      store = await openStore({ path });
    },
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
