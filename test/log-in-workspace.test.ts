import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createCheckpoints } from "../src/checkpoints/index.ts";
import { createWorkspace } from "../src/checks/index.ts";
import { systemClock } from "../src/compose/index.ts";
import { openStore } from "../src/store/index.ts";

test("a log that lies in the workspace keeps its locks, and its growth is no work", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tildone-log-"));
  const path = join(folder, "tildone.db");
  const store = await openStore({ path });
  const workspace = createWorkspace({ clock: systemClock(), env: process.env });
  append(store);
  const before = await workspace.observe(folder);
  // Another process that opens and closes the log must not take itself for the last one and remove what we still use.
  const script = `import { openStore } from ${JSON.stringify(resolve("src/store/index.ts"))};
    const store = await openStore({ path: ${JSON.stringify(path)} });
    store.log.transact("r", 0, () => ({ append: [{ at: 1, by: "human", v: 1, event: { type: "there" } }], value: 0 }));
    store.close();`;
  const { status } = spawnSync("node", ["--input-type=module", "-e", script], { stdio: "inherit" });
  expect(status).toBe(0);
  expect(store.log.last("r")).toBe(2);
  expect(await workspace.observe(folder)).toBe(before);
  writeFileSync(join(folder, "work.txt"), "done");
  expect(await workspace.observe(folder)).not.toBe(before);
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(["a repository", "a plain folder"])("what tildone keeps beside its log is no work in %s", async (kind) => {
  const folder = mkdtempSync(join(tmpdir(), "tildone-log-"));
  if (kind === "a repository") spawnSync("git", ["init", "-q", folder]);
  const state = join(folder, "state");
  const [env, clock] = [process.env, systemClock()];
  const workspace = createWorkspace({ clock, env, cacheDirectory: join(state, "workspace") });
  const checkpoints = createCheckpoints({ clock, env, directory: join(state, "snapshots") });
  writeFileSync(join(folder, "work.txt"), "begun");
  const before = await workspace.observe(folder);
  expect(await checkpoints.take({ cwd: folder, run: "r", id: "c1" })).toMatchObject({ status: "taken" });
  expect(await workspace.observe(folder)).toBe(before);
  writeFileSync(join(folder, "work.txt"), "done");
  expect(await workspace.observe(folder)).not.toBe(before);
  rmSync(folder, { recursive: true, force: true });
});

function append(store: Awaited<ReturnType<typeof openStore>>): void {
  store.log.transact("r", 0, () => ({
    append: [{ at: 1, by: "engine", v: 1, event: { type: "human.spoke" } }],
    value: 0,
  }));
}
