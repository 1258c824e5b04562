import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { filesOf, makeWorld, removeTemplates, type World } from "../../test/undo/world.ts";
import type { Checkpoint } from "../core/run/index.ts";
import { systemClock } from "../machine/index.ts";
import { type CheckpointStore, createCheckpoints, type Teller } from "./index.ts";

let world: World;
let store: CheckpointStore;
const told: Checkpoint[] = [];
const teller: Teller = { isTold: () => told.length > 0, tell: (_then, after) => void told.push(after) };
beforeEach(() => {
  world = makeWorld("repository");
  store = opened();
  told.length = 0;
});
afterEach(() => world.remove());
afterAll(removeTemplates);

const opened = (env: World["env"] = world.env) =>
  createCheckpoints({ clock: systemClock(), env, directory: join(world.home, "state") });
const at = (path: string) => join(world.root, path);

async function taken(id: string): Promise<Checkpoint> {
  const result = await store.take({ cwd: world.cwd, run: "r", id });
  if (result.status === "none") throw new Error(result.why);
  return result.checkpoint;
}

const prepared = (from: Checkpoint, to: Checkpoint, force = false) => preparedAll([{ from, to }], force);

async function preparedAll(steps: readonly { from: Checkpoint; to: Checkpoint }[], force = false) {
  const ready = await store.prepare({ cwd: world.cwd, run: "r", ids: ["u.before", "u.after"], steps, force });
  if (ready.status === "refused") throw new Error(ready.why);
  return ready;
}

test("without git there is no checkpoint, and it is said for good", async () => {
  const alone = opened({ ...world.env, PATH: "/nowhere" });
  expect(await alone.take({ cwd: world.cwd, run: "r", id: "c1" })).toEqual({
    ...{ status: "none", why: "git is not available", lasting: true },
  });
});

test("a file that changes while it is taken back stops everything, and nothing stays changed", async () => {
  const from = await taken("c1");
  for (const path of ["a.txt", "b.txt", "src/c.ts"]) writeFileSync(at(path), "by the agent\n");
  rmSync(at("deep"), { recursive: true });
  const ready = await prepared(from, await taken("c2"));
  writeFileSync(at("src/c.ts"), "yours, in this very moment\n");
  const before = filesOf(world.root);
  expect(await store.carryOut(ready, {}, teller)).toEqual({
    ...{ status: "failed", why: "src/c.ts: it changed meanwhile" },
  });
  expect([filesOf(world.root), told]).toEqual([before, []]);
});

test.each([
  ["a link", () => symlinkSync(join(world.home, "outside"), at("deep"))],
  ["a file", () => writeFileSync(at("deep"), "by the agent\n")],
])("%s that stood where folders come back is there again after an undo that stopped", async (_what, put) => {
  const from = await taken("c1");
  rmSync(at("deep"), { recursive: true });
  put();
  writeFileSync(at("src/c.ts"), "by the agent\n");
  const ready = await prepared(from, await taken("c2"));
  writeFileSync(at("src/c.ts"), "yours, in this very moment\n");
  const before = filesOf(world.root);
  expect(await store.carryOut(ready, {}, teller)).toEqual({
    ...{ status: "failed", why: "src/c.ts: it changed meanwhile" },
  });
  expect(filesOf(world.root)).toEqual(before);
});

test("the folder in which the run works stays, also where it is as young as the work and empty again", async () => {
  const own = at("src/ö");
  mkdirSync(own);
  world = { ...world, cwd: own };
  const from = await taken("c1");
  writeFileSync(join(own, "made"), "by the agent\n");
  mkdirSync(join(own, "inner"));
  writeFileSync(join(own, "inner/made"), "by the agent\n");
  expect(await store.carryOut(await prepared(from, await taken("c2")), {}, teller)).toMatchObject({ status: "undone" });
  expect(readdirSync(own)).toEqual([]);
});

test("nothing is written through a link that leads out of the project", async () => {
  const from = await taken("c1");
  rmSync(at("deep"), { recursive: true });
  const to = await taken("c2");
  mkdirSync(join(world.home, "outside"));
  symlinkSync(join(world.home, "outside"), at("deep"));
  expect((await prepared(from, to)).plan.conflicts).toEqual([{ path: "deep/er/file", why: "in_the_way" }]);
  expect(existsSync(join(world.home, "outside/er"))).toBe(false);
});

test("a link and the folder of its name, taken away by two todos, are not both put back", async () => {
  const first = await taken("c1");
  rmSync(at("deep"), { recursive: true });
  const second = await taken("c2");
  symlinkSync("src", at("deep")); // between the todos
  const third = await taken("c3");
  rmSync(at("deep"));
  const fourth = await taken("c4");
  const steps = [
    { from: third, to: fourth },
    { from: first, to: second },
  ];
  for (const force of [false, true])
    expect((await preparedAll(steps, force)).plan.conflicts).toEqual([{ path: "deep/er/file", why: "in_the_way" }]);
});

test("a file of yours that was ignored before stays, although it looks new", async () => {
  writeFileSync(at(".gitignore"), "huge/\n");
  mkdirSync(at("huge"));
  for (let count = 0; count <= 3000; count++) writeFileSync(at(`huge/${count}`), "yours");
  const from = await taken("c1");
  writeFileSync(at(".gitignore"), "huge/1*\nhuge/2*\nhuge/3*\n");
  writeFileSync(at("made.txt"), "by the agent");
  const { plan } = await prepared(from, await taken("c2"));
  expect(plan.changes.map(({ path }) => path)).toEqual([".gitignore", "made.txt"]);
  expect(plan.kept).toContain("huge/4");
}, 120_000);

test.each([
  ["removed", () => rmSync(at("new.txt"))],
  ["changed", () => writeFileSync(at("new.txt"), "by the agent")],
])(
  "a file that the agent %s and that came to be ignored comes back, and redo takes it away again",
  async (_what, act) => {
    writeFileSync(at("new.txt"), "yours");
    const before = await taken("c1");
    act();
    const after = await taken("c2");
    writeFileSync(at(".gitignore"), "new.txt\n");
    const then = filesOf(world.root);
    const undo = await prepared(before, after);
    expect(await store.carryOut(undo, {}, teller)).toMatchObject({ status: "undone" });
    expect(readFileSync(at("new.txt"), "utf8")).toBe("yours");
    const [undone] = told.splice(0);
    const redo = await store.prepare({
      ...{ cwd: world.cwd, run: "r", ids: ["u2.before", "u2.after"], force: false },
      steps: [{ from: undo.before, to: undone! }],
      undone: [{ before, after }],
    });
    expect(redo.status === "ready" && (await store.carryOut(redo, {}, teller))).toMatchObject({ status: "undone" });
    expect(filesOf(world.root)).toEqual(then);
  },
);

test("with force your lines go, too, and the checkpoint before keeps them", async () => {
  const from = await taken("c1");
  writeFileSync(at("a.txt"), "by the agent\n");
  const to = await taken("c2");
  writeFileSync(at("a.txt"), "yours\n");
  expect((await prepared(from, to)).plan.conflicts).toEqual([{ path: "a.txt", why: "changed_since" }]);
  const ready = await prepared(from, to, true);
  expect((await store.carryOut(ready, {}, teller)).status).toBe("undone");
  expect(readFileSync(at("a.txt"), "utf8")).toContain("line 0");
  expect(await store.diff(world.cwd, ready.before, told[0]!, ["-p"])).toContain("-yours");
});
