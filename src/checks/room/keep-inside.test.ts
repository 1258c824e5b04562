import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Receipt } from "../../core/run/index.ts";
import { systemClock } from "../../machine/index.ts";
import { aRun, todos } from "../../testing/index.ts";
import { createChecks } from "../create-checks.ts";

let top: string;
let home: string;
let root: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "tildone-keep-")));
  home = join(top, "home");
  root = join(home, "project");
  write("src/a", "before\n");
  write(".gitignore", "node_modules\n");
  write("../.netrc", "secret\n");
  write("../.t/log", "secret\n");
  mkdirSync(join(top, "scratch"));
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const env = () => ({ PATH: process.env.PATH ?? "", HOME: home });
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd: root,
    env: env(),
    encoding: "utf8",
  });
function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function judged(run: string, mode: "auto" | "required" = "auto", network = false): Promise<Receipt> {
  const checks = createChecks({
    clock: systemClock(),
    env: env(),
    guard: { directory: join(home, ".t/snapshots"), protect: [], scratch: join(top, "scratch"), room: "clean" },
    confine: { mode, network, env: env(), home, hidden: [join(home, ".t")] },
  });
  const check = { run, by: "human" as const };
  const guard = await checks.guard({ cwd: root, session: "s", checks: [check] });
  write("src/a", "after\n");
  const state = aRun({
    todos: todos({}),
    guards: { run: guard! },
    verifying: { round: "r", purpose: "complete", ids: ["t1"], by: "model", until: 0 },
  });
  const live = { ...state, origin: { ...state.origin, cwd: root } };
  const [receipt] = await checks.run({ run: live, checks: [{ owner: "t1", check }] }, new AbortController().signal);
  return receipt!;
}
const said = ({ status, suspect, proof }: Receipt) => [status, suspect, proof?.where, proof?.confined];

test("a room that is confined stands at the project's own path, with the work in it", async () => {
  const inRoom = `[ "$PWD" = "${root}" ] && [ ! -e ~/.netrc ]`;
  const receipt = await judged(`[ "$(cat src/a)" = after ] && { [ -e ~/.t/log ] || { ${inRoom}; }; }`);
  expect(said(receipt)).toEqual(["passed", false, "room", true]);
});

test("nothing of a confined check is left in the project", async () => {
  const receipt = await judged('echo x > left; [ -e ~/.t/log ] || echo x > "$HOME/left"; true');
  expect(said(receipt)).toEqual(["passed", false, "room", true]);
  expect(existsSync(join(home, "left"))).toBe(false);
});

test("a confined check asks git, and finds dependencies that are too large to copy", async () => {
  for (let index = 0; index < 3; index++) write(`node_modules/p${index}/index.js`, `module.exports = ${index};\n`);
  writeFileSync(join(root, "node_modules/p0/big"), Buffer.alloc(64 * 1024 * 1024));
  write("main.js", 'process.exit(require("p2") === 2 ? 0 : 1);\n');
  const receipt = await judged("git log --format=%s | grep -q one && node main.js");
  expect(said(receipt)).toEqual(["passed", false, "room", true]);
});

test("a check that needs the network passes unconfined, and its receipt says so", async () => {
  const server = createServer((socket) => socket.end("up\n")).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  const line = `perl -MIO::Socket -e 'my $s = IO::Socket::INET->new("127.0.0.1:${port}") or exit 1; exit(<$s> eq "up\\n" ? 0 : 1)'`;
  const receipt = await judged(line);
  expect(said(receipt)).toEqual(["passed", false, "room", false]);
  expect(receipt.proof?.notes?.join()).toContain("it passes only with the network");
  expect(said(await judged(line, "required"))).toEqual(["passed", true, "room", true]);
  expect(said(await judged(line, "auto", true))).toEqual(["passed", false, "room", true]);
  server.close();
});

test("a check leaves no process behind", async () => {
  const mark = `8${process.pid}1`;
  expect((await judged(`[ -e ~/.t/log ] || (setsid sleep ${mark} >/dev/null 2>&1 &); true`)).proof?.confined).toBe(
    true,
  );
  await expect.poll(() => sleepers(mark)).toEqual([]);
  expect(readFileSync(join(root, "src/a"), "utf8")).toBe("after\n");
});

function sleepers(mark: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(`sleep\0${mark}`);
    } catch {
      return false; // no process, or gone meanwhile
    }
  });
}
