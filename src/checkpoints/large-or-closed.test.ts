import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Checkpoint } from "../core/run/index.ts";
import { systemClock } from "../machine/index.ts";
import { createCheckpoints } from "./index.ts";

let home: string;
let project: string;
const at = (path: string) => join(project, path);
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "large-"));
  project = join(home, "project");
  mkdirSync(at("closed"), { recursive: true });
  writeFileSync(at("a.txt"), "a\n");
  writeFileSync(at("closed/b.txt"), "b\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => {
  const env = { ...process.env, HOME: join(home, "yours") };
  return createCheckpoints({ clock: systemClock(), env, directory: join(home, "state") });
};
const teller = { isTold: () => false, tell: () => {} };

async function taken(store: ReturnType<typeof open>, id: string, cwd = project): Promise<Checkpoint> {
  const result = await store.take({ cwd, run: "r", id });
  if (result.status === "none") throw new Error(result.why);
  return result.checkpoint;
}

async function undone(store: ReturnType<typeof open>, from: Checkpoint, to: Checkpoint) {
  const asked = { cwd: project, run: "r", ids: ["u.before", "u.after"], steps: [{ from, to }], force: false } as const;
  const prepared = await store.prepare(asked);
  return prepared.status === "ready" ? store.carryOut(prepared, {}, teller) : prepared;
}

/** The owner of the project; root may read and write everything, so that nothing would be denied to it. */
async function asOwner<T>(act: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act();
  const NOBODY = 65_534;
  for (const path of [home, project, at("a.txt"), at("closed"), at("closed/b.txt")]) chownSync(path, NOBODY, NOBODY);
  process.seteuid!(NOBODY);
  try {
    return await act();
  } finally {
    process.seteuid!(0);
  }
}

test("a project with a huge binary is said to be too large, for good, and is not copied", async () => {
  writeFileSync(at("disk.img"), "");
  truncateSync(at("disk.img"), 3 * 1024 ** 3);
  const store = open();
  expect(await store.take({ cwd: project, run: "r", id: "c1" })).toEqual({
    status: "none",
    why: "the project is larger than 2 GB",
    lasting: true,
  });
  expect(await store.size(project)).toBeLessThan(10_000);
});

test("a large binary that the work replaced comes back, byte for byte", async () => {
  const bytes = Buffer.alloc(40 * 1024 * 1024, "0123456789abcdef\0");
  writeFileSync(at("large.bin"), bytes);
  const store = open();
  const from = await taken(store, "c1");
  writeFileSync(at("large.bin"), "small");
  const to = await taken(store, "c2");
  expect(await undone(store, from, to)).toMatchObject({ status: "undone" });
  expect(readFileSync(at("large.bin")).equals(bytes)).toBe(true);
});

test("in a shallow clone work is undone, and the clone stays as it was", async () => {
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-C", cwd, ...args], { encoding: "utf8" });
  git(project, "init", "-q");
  git(project, "add", ".");
  for (const message of ["one", "two"]) git(project, "commit", "-q", "--allow-empty", "-m", message);
  const origin = project;
  project = join(home, "clone");
  git(home, "clone", "-q", "--depth=1", `file://${origin}`, project);
  const before = [git(project, "log", "--all", "--oneline"), readFileSync(at(".git/shallow"), "utf8")];
  const store = open();
  const from = await taken(store, "c1");
  rmSync(at("a.txt"));
  const to = await taken(store, "c2");
  expect(await undone(store, from, to)).toMatchObject({ status: "undone" });
  expect(git(project, "status", "--porcelain")).toBe("");
  expect([git(project, "log", "--all", "--oneline"), readFileSync(at(".git/shallow"), "utf8")]).toEqual(before);
});

test("a file that you may not read is left out and stays, and everything else is undone", async () => {
  await asOwner(async () => {
    writeFileSync(at("secret"), "closed to you\n");
    chmodSync(at("secret"), 0o000);
    const store = open();
    const from = await taken(store, "c1");
    writeFileSync(at("a.txt"), "changed\n");
    const to = await taken(store, "c2");
    expect(await undone(store, from, to)).toMatchObject({ status: "undone" });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("a\n");
    expect(statSync(at("secret")).size).toBe(14);
  });
});

test("a folder that may not be written stops an undo, and nothing stays changed", async () => {
  await asOwner(async () => {
    const store = open();
    const from = await taken(store, "c1");
    for (const path of ["a.txt", "closed/b.txt"]) writeFileSync(at(path), "changed\n");
    const to = await taken(store, "c2");
    chmodSync(at("closed"), 0o555);
    expect(await undone(store, from, to)).toMatchObject({
      status: "failed",
      why: expect.stringMatching(/^closed\/b\.txt: EACCES/),
    });
    expect(["a.txt", "closed/b.txt"].map((path) => readFileSync(at(path), "utf8"))).toEqual(["changed\n", "changed\n"]);
    expect(readdirSync(project).filter((name) => name.startsWith(".tildone"))).toEqual([]);
    chmodSync(at("closed"), 0o755);
    expect(await undone(store, from, to)).toMatchObject({ status: "undone" });
  });
});
