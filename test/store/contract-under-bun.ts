// Runs the contract of the store under Bun, and prints the result of each clause as one line of JSON.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, openStore } from "../../src/store/index.ts";
import { Skipped, STORE_CONTRACT, type StoreSubject } from "../../src/testing/store-contract.ts";

export interface Verdict {
  readonly subject: "memory" | "bun:sqlite";
  readonly name: string;
  readonly status: "kept" | "skipped" | "broken";
  readonly why?: string;
}

const SUBJECTS: Readonly<Record<Verdict["subject"], (folder: string) => Promise<StoreSubject>>> = {
  memory: async () => ({
    store: memoryStore(),
    second: { cannot: "memory belongs to one process" },
    damage: { cannot: "memory has no back door" },
  }),
  "bun:sqlite": async (folder) => {
    const path = join(folder, "runs.db");
    return { store: await openStore({ path }), second: () => openStore({ path }), damage: damageIn(path) };
  },
};

for (const subject of Object.keys(SUBJECTS) as Verdict["subject"][])
  for (const { name, check } of STORE_CONTRACT) {
    const folder = mkdtempSync(join(tmpdir(), "tildone-store-"));
    const opened = await SUBJECTS[subject](folder);
    try {
      await check(opened);
      tell({ subject, name, status: "kept" });
    } catch (error) {
      tell({ subject, name, status: error instanceof Skipped ? "skipped" : "broken", why: String(error) });
    } finally {
      opened.store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }

function tell(verdict: Verdict): void {
  console.log(JSON.stringify(verdict));
}

function damageIn(path: string) {
  return (run: string, seq: number, text: string) => {
    const database = new Database(path);
    database.prepare("UPDATE events SET event = ? WHERE run = ? AND seq = ?").run(text, run, seq);
    database.close();
  };
}
