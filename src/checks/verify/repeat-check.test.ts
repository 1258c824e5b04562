import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Receipt } from "../../core/run/index.ts";
import { systemClock } from "../../machine/index.ts";
import { aRun, todos } from "../../testing/index.ts";
import { createChecks } from "../create-checks.ts";
import type { Snapshot } from "../snapshot/index.ts";
import { type PackedTrees, proofFiles } from "./proof-files.ts";
import { surroundingsOf } from "./read-note.ts";

let home: string;
let root: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "tildone-verify-")));
  root = join(home, "project");
  mkdirSync(join(home, "scratch"));
  write("src/sum.sh", "sum() { echo 0; }\n");
  write("test/sum.sh", '. ./src/sum.sh\n[ "$(sum 1 2)" = 3 ] || { echo "no sum"; exit 1; }\n');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const env = () => ({ PATH: process.env.PATH ?? "", HOME: home });
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const work = () => write("src/sum.sh", "sum() { echo $(($1 + $2)); }\n");
const weaken = () => write("test/sum.sh", "exit 0\n");
const RUN = "sh test/sum.sh";
const state = () => join(home, "state");

const checksIn = (directory = state(), protect = ["**/test/**"], room: "clean" | "place" = "clean") =>
  createChecks({
    clock: systemClock(),
    env: env(),
    guard: { directory, protect, scratch: join(home, "scratch"), room },
  });

async function judged(act: () => void, run = RUN, room: "clean" | "place" = "clean"): Promise<Receipt> {
  const checks = checksIn(state(), ["**/test/**"], room);
  const check = { run, by: "human" as const };
  const guard = await checks.guard({ cwd: root, session: "s", checks: [check] });
  act();
  const begun = aRun({
    todos: todos({}),
    guards: { run: guard! },
    verifying: { round: "r", purpose: "complete", ids: ["t1"], by: "model", until: 0 },
  });
  const live = { ...begun, origin: { ...begun.origin, cwd: root } };
  const [receipt] = await checks.run({ run: live, checks: [{ owner: "t1", check }] }, new AbortController().signal);
  return receipt!;
}

const repeat = (
  receipt: Receipt,
  checks = checksIn(),
  more: { run?: string; cwd?: string; prefix?: string; signal?: AbortSignal } = {},
) =>
  checks.repeat(
    { cwd: root, ...more, receipt, check: { run: more.run ?? RUN, by: "human" }, declared: [] },
    more.signal ?? new AbortController().signal,
  );

test("a receipt is reproduced from its trees, whatever the project is by now", async () => {
  const receipt = await judged(work);
  expect(receipt.proof?.where).toBe("room");
  rmSync(join(root, "src"), { recursive: true });
  expect(await repeat(receipt)).toMatchObject({ status: "reproduced", differs: [], notes: [] });
  expect(existsSync(join(root, "src"))).toBe(false);
  expect(readdirSync(join(home, "scratch"))).toEqual([]);
});

test("a weakened judge fails again, as it did", async () => {
  const receipt = await judged(weaken);
  expect(receipt).toMatchObject({ status: "passed", suspect: true });
  expect(await repeat(receipt)).toMatchObject({ status: "reproduced", ended: "exit 1" });
});

test("a receipt whose product does not pass is not reproduced, and shows its output", async () => {
  const { proof, ...receipt } = await judged(work);
  const { room: _, ...more } = proof!;
  const lie = { ...receipt, proof: { ...more, tree: proof!.judge! } };
  expect(await repeat(lie)).toMatchObject({ status: "differs", ended: "exit 1", tail: "no sum\n" });
  const other = { ...receipt, proof: { ...proof!, tree: proof!.judge! } };
  expect(await repeat(other)).toMatchObject({
    status: "not_believed",
    problem: "Its room holds files of neither judge nor product: src/sum.sh",
  });
});

test("a receipt that was given in place is repeated in a room, or said to be of its place", async () => {
  const receipt = await judged(work, RUN, "place");
  expect(receipt.proof?.where).toBe("place");
  expect(await repeat(receipt)).toMatchObject({ status: "reproduced", notes: ["ran in place, repeated in a room"] });
  const run = `[ "$PWD" = "${root}" ]`;
  const bound = await judged(work, run, "place");
  expect(await repeat(bound, checksIn(), { run })).toMatchObject({ status: "in_place" });
  const { proof: _, ...bare } = receipt;
  expect(await repeat(bare)).toMatchObject({ status: "in_place" });
});

test("other settings than those of the run lay the room out as it was recorded; trees of a file need the same ones", async () => {
  write("test/other.sh", "exit 0\n");
  const receipt = await judged(() => {
    work();
    write("test/other.sh", "# words\n");
  });
  const notes = ["uses the recorded files; today's settings would judge differently"];
  const others = checksIn(state(), ["nothing"]);
  expect(await repeat(receipt, others)).toMatchObject({ status: "reproduced", notes });
  expect(await repeat(receipt, others, { prefix: "" })).toMatchObject({ status: "not_believed" });
  expect(await repeat(receipt, checksIn(), { prefix: "" })).toMatchObject({ status: "reproduced", notes: [] });
});

test("another command than the one that was judged is refused", async () => {
  const receipt = await judged(work);
  expect(await repeat(receipt, checksIn(), { run: "exit 0" })).toMatchObject({ status: "not_believed" });
});

test("content that was planted under another's name is not laid out", async () => {
  const receipt = await judged(work);
  const [store = ""] = readdirSync(state()).filter((name) => existsSync(join(state(), name, "HEAD")));
  const at = join(state(), store);
  const git = (...args: string[]) => execFileSync("git", ["--git-dir", at, ...args], { encoding: "utf8" });
  const oid = git("hash-object", join(root, "test/sum.sh")).trim();
  // As loose objects, of which one is not what its name says.
  for (const pack of readdirSync(join(at, "objects/pack")).filter((name) => name.endsWith(".pack"))) {
    const bytes = readFileSync(join(at, "objects/pack", pack));
    rmSync(join(at, "objects/pack"), { recursive: true });
    execFileSync("git", ["--git-dir", at, "unpack-objects", "-q"], { input: bytes });
  }
  const file = join(at, "objects", oid.slice(0, 2), oid.slice(2));
  expect(await repeat(receipt)).toMatchObject({ status: "reproduced" });
  chmodSync(file, 0o600);
  writeFileSync(file, deflateSync(Buffer.from("blob 7\0exit 0\n")));
  expect(await repeat(receipt)).toMatchObject({ status: "not_kept" });
  rmSync(file);
  expect(await repeat(receipt)).toMatchObject({ status: "not_kept" });
});

test("packed trees are verified in another folder with nothing but the pack", async () => {
  const receipt = await judged(work);
  const { tree, judge, room } = receipt.proof!;
  const from = proofFiles({ clock: systemClock(), env: env(), directory: state() });
  const packed = (await from.pack(root, { names: [tree!, judge!], rooms: [room!] })) as PackedTrees;
  expect(await from.pack(root, { names: [`tree:${"0".repeat(40)}`], rooms: [] })).toBe("not_kept");
  rmSync(state(), { recursive: true });
  rmSync(root, { recursive: true });
  const clone = join(home, "clone");
  mkdirSync(clone);
  const directory = join(home, "elsewhere");
  const to = proofFiles({ clock: systemClock(), env: env(), directory });
  expect(await to.unpack(clone, packed.pack.subarray(0, -30))).toBe(false);
  expect(await repeat(receipt, checksIn(directory), { cwd: clone })).toMatchObject({ status: "not_kept" });
  expect(await to.unpack(clone, packed.pack)).toBe(true);
  expect(await repeat(receipt, checksIn(directory), { cwd: clone })).toMatchObject({ status: "reproduced" });
});

test("a run in a folder of its repository is verified in that folder of a clone, wherever it is asked for", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: top });
  const top = root;
  root = join(top, "inner");
  write("src/sum.sh", "sum() { echo 0; }\n");
  write("test/sum.sh", '. ./src/sum.sh\n[ "$(sum 1 2)" = 3 ]\n');
  rmSync(join(top, "test"), { recursive: true });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  const receipt = await judged(work);
  const { tree, judge, room } = receipt.proof!;
  const from = proofFiles({ clock: systemClock(), env: env(), directory: state() });
  const packed = (await from.pack(root, { names: [tree!, judge!], rooms: [room!] })) as PackedTrees;
  expect(packed.prefix).toBe("inner/");
  const clone = join(home, "clone");
  git("clone", "-q", top, clone);
  const directory = join(home, "elsewhere");
  for (const cwd of [clone, join(clone, "inner")]) {
    await proofFiles({ clock: systemClock(), env: env(), directory }).unpack(cwd, packed.pack);
    const again = await repeat(receipt, checksIn(directory), { cwd, prefix: packed.prefix });
    expect(again).toMatchObject({ status: "reproduced", notes: [] });
  }
});

test("it is cut short by a signal, and leaves no room behind", async () => {
  const run = `touch "${join(home, "going")}"; [ -e "${join(home, "slow")}" ] && sleep 600; true`;
  const receipt = await judged(work, run);
  rmSync(join(home, "going"));
  writeFileSync(join(home, "slow"), "");
  const cut = new AbortController();
  const going = repeat(receipt, checksIn(), { run, signal: cut.signal });
  await expect.poll(() => existsSync(join(home, "going")), { timeout: 30_000 }).toBe(true);
  cut.abort();
  expect(await going).toEqual({ status: "cut_short" });
  expect(readdirSync(join(home, "scratch"))).toEqual([]);
}, 60_000);

test.each<[string, Partial<Snapshot>]>([
  ["a large folder above the room", { large: [{ path: "../x", units: {} }] }],
  ["an empty folder elsewhere", { empty: ["/tmp/x"] }],
  ["a program that is a path", { note: { ...aNote(), programs: { "../../x": { path: "/bin/sh", mark: "" } } } }],
  ["a note that is none", { note: "no" }],
  ["no list of folders", { large: null as never }],
])("a snapshot from another machine with %s is not used", (_what, planted) => {
  const snapshot = { large: [], empty: [], note: aNote(), ...planted } as unknown as Snapshot;
  expect(surroundingsOf(snapshot)).toBeUndefined();
  expect(surroundingsOf({ ...snapshot, large: [], empty: [], note: aNote() })).toBeDefined();
});

function aNote() {
  return { salt: "s", path: "/bin", variables: {}, files: {}, programs: { sh: { path: "/bin/sh", mark: "m" } } };
}
