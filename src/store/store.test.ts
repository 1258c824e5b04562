import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "vitest";
import { Skipped, STORE_CONTRACT, type StoreSubject } from "../testing/index.ts";
import { memoryStore, openStore } from "./index.ts";

const SUBJECTS: Readonly<Record<string, (folder: string) => Promise<StoreSubject>>> = {
  memory: async () => ({
    store: memoryStore(),
    second: { cannot: "memory belongs to one process" },
    damage: { cannot: "memory has no back door" },
  }),
  "node:sqlite": async (folder) => {
    const path = join(folder, "runs.db");
    return { store: await openStore({ path }), second: () => openStore({ path }), damage: damageIn(path) };
  },
};

describe.each(Object.entries(SUBJECTS))("%s", (_name, open) => {
  test.for(STORE_CONTRACT)("$name", async ({ check }, { skip }) => {
    const folder = mkdtempSync(join(tmpdir(), "tildone-store-"));
    const subject = await open(folder);
    try {
      await check(subject);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      skip(error.message);
    } finally {
      subject.store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const damageIn = (path: string) => (run: string, seq: number, text: string) => {
  const database = new DatabaseSync(path);
  database.prepare("UPDATE events SET event = ? WHERE run = ? AND seq = ?").run(text, run, seq);
  database.close();
};
