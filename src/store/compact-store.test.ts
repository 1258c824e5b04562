import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compactStore } from "./compact-store.ts";
import { openStore } from "./open-store.ts";

test("gives the space of removed runs back, also while another process has the log open", async () => {
  const folder = mkdtempSync(join(tmpdir(), "compact-"));
  const path = join(folder, "tildone.db");
  const store = await openStore({ path });
  const add = (run: string, text: string) =>
    store.log.transact(run, store.log.last(run), () => ({
      append: [{ at: 1, by: "human", v: 1, event: { type: "goal.set", goal: text } as never }],
      value: 0,
      card: { run, host: "pi", session: run, cwd: "/", live: true, began: 1, updated: 1, summary: {} },
    }));
  for (let at = 0; at < 200; at++) add("old", "x".repeat(10_000));
  add("new", "y");
  store.runs.remove("old");
  const freed = compactStore(path);
  expect(freed).toBeGreaterThan(1_000_000);
  expect(statSync(path).size).toBeLessThan(200_000);
  expect(store.log.last("new")).toBe(1);
  expect(store.log.read("new", 0).last).toBe(1);
  store.close();
  rmSync(folder, { recursive: true, force: true });
});
