import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesOf } from "../../test/undo/world.ts";
import { systemClock } from "../machine/index.ts";
import { createCheckpoints } from "./index.ts";

let home: string;
let project: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "bad-use-"));
  project = join(home, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "a\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const take = async (cwd = project, directory = join(home, "state")) => {
  const store = createCheckpoints({ clock: systemClock(), env: process.env, directory });
  const taken = await store.take({ cwd, run: "r", id: "c1" });
  return taken.status === "none" ? { why: taken.why, lasting: taken.lasting } : taken.status;
};

test("a project that was removed is said to be gone, and not for good", async () => {
  rmSync(project, { recursive: true });
  expect(await take()).toEqual({ why: `${project} does not exist`, lasting: false });
});

test("a bare repository is a folder like any other", async () => {
  execFileSync("git", ["init", "-q", "--bare", join(home, "bare")]);
  const before = filesOf(join(home, "bare"));
  expect(await take(join(home, "bare"))).toBe("taken");
  expect(filesOf(join(home, "bare"))).toEqual(before);
});

test("a place that cannot be written to is named", async () => {
  writeFileSync(join(home, "file"), "");
  expect(await take(project, join(home, "file/state"))).toMatchObject({
    why: expect.stringContaining("file"),
    lasting: false,
  });
});

// Only root can make a disk so small.
const mount = (folder: string) => spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]).status === 0;

test("a full disk is said to be full, and nothing of the project is touched", async (context) => {
  const disk = join(home, "disk");
  mkdirSync(disk);
  if (!mount(disk)) return context.skip("no file system can be mounted here");
  try {
    execFileSync("git", ["init", "-q", project]);
    for (let at = 0; at < 4; at++) writeFileSync(join(project, `${at}.bin`), randomBytes(1024 * 1024));
    const before = filesOf(project);
    expect(await take(project, join(disk, "state"))).toEqual({ why: "the disk is full", lasting: false });
    expect(filesOf(project)).toEqual(before);
    for (let at = 0; at < 4; at++) rmSync(join(project, `${at}.bin`));
    expect(await take(project, join(disk, "state"))).toBe("taken");
  } finally {
    spawnSync("umount", [disk]);
  }
});

test("without git there are none, and there is no need to try again", async () => {
  const store = createCheckpoints({ clock: systemClock(), env: { PATH: home }, directory: join(home, "state") });
  expect(await store.take({ cwd: project, run: "r", id: "c1" })).toEqual({
    status: "none",
    why: "git is not available",
    lasting: true,
  });
});

test("a project that is gone has no checkpoints to show, and no error", async () => {
  const store = createCheckpoints({ clock: systemClock(), env: process.env, directory: join(home, "state") });
  const gone = join(home, "gone");
  const teller = { isTold: () => false, tell: () => {} };
  expect([await store.kept(gone, "r"), await store.size(gone), await store.recover(gone, teller)]).toEqual([
    [],
    0,
    "nothing",
  ]);
});

test.each([
  ["your home folder", "."],
  ["a folder above it", ".."],
])("%s is no project", async (_what, above) => {
  const env = { ...process.env, HOME: project };
  const store = createCheckpoints({ clock: systemClock(), env, directory: join(home, "state") });
  expect(await store.take({ cwd: join(project, above), run: "r", id: "c1" })).toMatchObject({
    why: expect.stringMatching(/^your home folder is no project/),
    lasting: true,
  });
  mkdirSync(join(project, "inner"));
  expect(await store.take({ cwd: join(project, "inner"), run: "r", id: "c1" })).toMatchObject({ status: "taken" });
});

test("of a folder whose repository is your home only the folder is recorded", async () => {
  const inner = join(project, "inner");
  mkdirSync(inner);
  writeFileSync(join(inner, "b.txt"), "b\n");
  execFileSync("git", ["init", "-q", project]);
  execFileSync("git", ["-C", project, "add", "inner"]);
  const env = { ...process.env, HOME: project };
  const store = createCheckpoints({ clock: systemClock(), env, directory: join(home, "state") });
  expect(await store.take({ cwd: inner, run: "r", id: "c1" })).toMatchObject({
    status: "taken",
    opened: { files: { root: inner, project: new Map([["b.txt", { mode: "100644" }]]) }, staged: undefined },
  });
});

test("work in a new folder can be undone after it became part of the repository", async () => {
  const inner = join(project, "inner");
  mkdirSync(inner);
  execFileSync("git", ["init", "-q", project]);
  const store = createCheckpoints({ clock: systemClock(), env: process.env, directory: join(home, "state") });
  const at = async (id: string) => {
    const taken = await store.take({ cwd: inner, run: "r", id });
    return taken.status === "taken" ? taken.checkpoint : undefined;
  };
  const from = await at("c1");
  writeFileSync(join(inner, "b.txt"), "b\n");
  const to = await at("c2");
  execFileSync("git", ["-C", project, "add", "inner"]);
  const steps = [{ from: from!, to: to! }];
  expect(await store.prepare({ cwd: inner, run: "r", ids: ["a", "b"], steps, force: false })).toMatchObject({
    status: "ready",
    plan: { changes: [{ path: "inner/b.txt" }], conflicts: [], kept: [] },
  });
});
