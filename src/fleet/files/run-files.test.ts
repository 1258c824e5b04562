import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainGit } from "./files-error.ts";
import { fleetGit, openRunFiles, publishResult, type RunFiles } from "./index.ts";

let root: string;
let remote: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fleet-files-"));
  remote = join(root, "remote.git");
  const seed = join(root, "seed");
  mkdirSync(seed);
  sh(root, "init", "-q", "--bare", "-b", "main", remote);
  sh(seed, "init", "-q", "-b", "main");
  writeFileSync(join(seed, "a.txt"), "one\n");
  writeFileSync(join(seed, "gone.txt"), "gone\n");
  writeFileSync(join(seed, ".gitattributes"), "*.txt text eol=crlf\n");
  writeFileSync(join(seed, ".gitignore"), "ignored\n");
  sh(seed, "add", "-A");
  sh(seed, "commit", "-qm", "first");
  sh(seed, "push", "-q", remote, "main");
}, 60_000);
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

const env = () => ({ PATH: process.env.PATH, HOME: root });
function sh(cwd: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "safe.directory=*"];
  return execFileSync("git", [...who, ...args], {
    cwd,
    env: env(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** The files of run r1 on a machine of that name. */
const on = (machine: string, repo = remote, git = fleetGit(env())): RunFiles =>
  openRunFiles({
    git,
    cache: join(root, machine, "repos"),
    place: join(root, machine, "runs/r1"),
    run: "r1",
    repo,
  });
const LONG = { timeout: 60_000 };

test("another machine has every byte, branch, commit and staged file of the checkpoint", LONG, async () => {
  const one = on("one");
  expect(await one.takeOver(1)).toBe(true);
  await one.begin(undefined);
  expect(readFileSync(join(one.work, "a.txt"), "utf8")).toBe("one\r\n"); // by the project's own rules
  sh(one.work, "checkout", "-qb", "feature");
  writeFileSync(join(one.work, "committed.txt"), "c\n");
  sh(one.work, "add", "committed.txt");
  sh(one.work, "commit", "-qm", "agent's");
  writeFileSync(join(one.work, "staged.txt"), "s1");
  sh(one.work, "add", "staged.txt");
  writeFileSync(join(one.work, "staged.txt"), "s2\r\nmixed\n");
  writeFileSync(join(one.work, "a.txt"), Buffer.from([0, 255, 13, 10]));
  rmSync(join(one.work, "gone.txt"));
  writeFileSync(join(one.work, "new ü.sh"), "x");
  chmodSync(join(one.work, "new ü.sh"), 0o755);
  writeFileSync(join(one.work, "ignored"), "i");
  const { commit } = await one.checkpoint(1);
  expect((await one.checkpoint(1)).commit).toBe(commit);

  const two = on("two");
  expect(await two.takeOver(2, commit)).toBe(true);
  await two.restore(commit);
  const status = (at: string) => sh(at, "status", "--porcelain", "-z", "--branch").split("\0").sort();
  expect(status(two.work)).toEqual(status(one.work));
  for (const name of ["a.txt", "staged.txt", "new ü.sh", "committed.txt"])
    expect(readFileSync(join(two.work, name))).toEqual(readFileSync(join(one.work, name)));
  expect(sh(two.work, "rev-parse", "HEAD")).toBe(sh(one.work, "rev-parse", "HEAD"));
  expect(sh(two.work, "show", ":staged.txt")).toBe("s1");
  expect(statSync(join(two.work, "new ü.sh")).mode & 0o100).toBe(0o100);

  writeFileSync(join(one.work, "late.txt"), "late");
  await expect(one.checkpoint(1)).rejects.toMatchObject({ code: "fenced" });
  expect((await two.checkpoint(2)).commit).not.toBe(commit);
  expect(await one.takeOver(1, commit)).toBe(false);
});

test("a checkpoint that was pushed but never recorded loses nothing of the one before", LONG, async () => {
  const one = on("one");
  await one.takeOver(1);
  await one.begin("main");
  writeFileSync(join(one.work, "x"), "recorded");
  const { commit } = await one.checkpoint(1);
  writeFileSync(join(one.work, "x"), "pushed only");
  await one.checkpoint(1);
  const two = on("two");
  await two.takeOver(2, commit);
  await two.restore(commit);
  expect(readFileSync(join(two.work, "x"), "utf8")).toBe("recorded");
});

test("new files that hold secrets or are named like them stay where they are", LONG, async () => {
  const one = on("one");
  await one.takeOver(1);
  await one.begin(undefined);
  writeFileSync(join(one.work, ".env"), "A=1");
  writeFileSync(join(one.work, "notes.txt"), `key: ${"sk-ant-api03-"}${"Ab3".repeat(30)}\n`);
  writeFileSync(join(one.work, "fine.txt"), "fine");
  const { commit, withheld } = await one.checkpoint(1);
  expect(withheld).toEqual(["notes.txt"]);
  const result = await one.result(1, "The goal");
  const files = (tree: string) => sh(remote, "ls-tree", "-r", "--name-only", tree).split("\n").filter(Boolean);
  expect(files(commit)).toEqual([".gitattributes", ".gitignore", "a.txt", "fine.txt", "gone.txt"]);
  expect(files(result)).toEqual([".gitattributes", ".gitignore", "a.txt", "fine.txt", "gone.txt"]);
});

test("the result is one commit on top of the project, published once however often", LONG, async () => {
  const one = on("one");
  await one.takeOver(1);
  const base = await one.begin(undefined);
  writeFileSync(join(one.work, "b.txt"), "b\r\n");
  const commit = await one.result(1, "Make b");
  expect(sh(remote, "rev-parse", `${commit}^`).trim()).toBe(base);
  const parts = { git: fleetGit(env()), cache: join(root, "three/repos"), run: "r1", repo: remote };
  await publishResult(parts, commit);
  await publishResult(parts, commit);
  expect(sh(remote, "rev-parse", "refs/heads/tildone/r1").trim()).toBe(commit);
  expect(sh(remote, "show", "tildone/r1:b.txt")).toBe("b\n"); // by the project's own rules
});

test("who knows that it is fenced pushes nothing, not even what it had begun", LONG, async () => {
  const one = on("one");
  await one.takeOver(1);
  await one.begin(undefined);
  writeFileSync(join(one.work, "b.txt"), "b");
  const before = sh(remote, "for-each-ref");
  one.stop();
  await expect(one.checkpoint(1)).rejects.toMatchObject({ code: "fenced" });
  expect(await one.takeOver(1)).toBe(false);
  expect(sh(remote, "for-each-ref")).toBe(before);
});

test.each(["exact.git", "exact.git.new"])("half of %s, where a worker died, is made again", LONG, async (name) => {
  const half = join(root, "one/runs/r1", name);
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, "HEAD"), "ref: refs/heads/main\n");
  const one = on("one");
  expect(await one.takeOver(1)).toBe(true);
  await one.begin(undefined);
  expect((await one.checkpoint(1)).commit).toMatch(/^[0-9a-f]{40}$/);
});

test.each([
  ["is gone", "/nowhere/at-all.git", "gone", /There is no repository at/],
  ["cannot be reached", "http://127.0.0.1:9/x.git", "away", /cannot be reached/],
])("a remote that %s is one sentence", LONG, async (_what, repo, code, says) => {
  await expect(on("one", repo).takeOver(1)).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
});

test("a remote that accepts and never answers is away, and may be back later", LONG, async () => {
  await using silent = createServer((socket) => socket.resume());
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const { port } = silent.address() as AddressInfo;
  const files = on("one", `git://127.0.0.1:${port}/x.git`, fleetGit(env(), { timeoutMs: 1_000 }));
  await expect(files.takeOver(1)).rejects.toMatchObject({ code: "away" });
});

test("a remote that sends nothing is told of while it is waited for", LONG, async () => {
  await using silent = createServer((socket) => socket.resume());
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const { port } = silent.address() as AddressInfo;
  const told = Promise.withResolvers<"told">();
  const ends = new AbortController();
  const git = fleetGit(env(), { silentMs: 1, onSilent: () => told.resolve("told"), signal: ends.signal });
  const asked = on("one", `git://127.0.0.1:${port}/x.git`, git).takeOver(1);
  const ended = asked.catch(() => "ended" as const);
  expect(await Promise.race([told.promise, ended])).toBe("told");
  ends.abort();
  expect(await ended).toBe("ended");
});

test("a remote that answers late is told of twice: that it is silent, and that it is back", LONG, async () => {
  const told: string[] = [];
  const git = fleetGit(env(), { silentMs: 0, onSilent: () => told.push("away"), onAnswer: () => told.push("back") });
  const answer = await git(["ls-remote", remote]);
  expect([answer.status, ...told]).toEqual(["ok", "away", "back"]);
  expect((await git(["-C", remote, "rev-parse", "main"])).status).toBe("ok");
  expect(told, "a call that asks no remote waits for none").toHaveLength(2);
});

test("a remote that takes long and says how far it is gets its time", LONG, async () => {
  const folder = join(root, "slow");
  mkdirSync(folder);
  // Three seconds of a large repository, in which each half second something comes.
  const script = '#!/bin/sh\nfor n in 1 2 3 4 5 6; do sleep 0.5; echo "Receiving objects: $n" >&2; done\necho "$@"\n';
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  const git = fleetGit({ ...env(), PATH: `${folder}:${process.env.PATH}` }, { timeoutMs: 2_000 });
  expect(await git(["fetch", "origin"])).toEqual({ status: "ok", output: expect.stringContaining("fetch --progress") });
});

test.each([
  ["ssh: connect to host x port 22: No route to host", "away", "no route leads there"],
  ["fatal: unable to look up x (port 9418) (Name or service not known)", "away", "its name is not known"],
  ["fatal: unable to access 'https://u:p4ss@x/': SSL certificate problem: expired", "away", "its certificate"],
  ["remote: 10% of it\rfatal: odd at https://u:p4ss@x/a.git", "failed", "fatal: odd at https://x/a.git"],
])("what git says is one sentence without a password: %s", (said, code, says) => {
  const { message, ...problem } = explainGit(said, "https://u:p4ss@x/a.git");
  expect(problem.code).toBe(code);
  expect(message).toContain("https://x/a.git");
  expect(message).toContain(says);
  expect(message).not.toContain("p4ss");
});

test("a remote that refuses the refs, and a branch that is not there, are one sentence each", LONG, async () => {
  writeFileSync(join(remote, "hooks/update"), '#!/bin/sh\ncase "$1" in refs/tildone/*) exit 1;; esac\n', {
    mode: 0o755,
  });
  await expect(on("one").takeOver(1)).rejects.toMatchObject({ code: "refuses_refs" });
  await expect(on("two").begin("nope")).rejects.toMatchObject({ code: "no_ref" });
  await expect(on("two").begin("--upload-pack=x")).rejects.toMatchObject({ code: "no_ref" });
});
