import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdLifeline } from "../machine/index.ts";
import { allowedEnvironment } from "./allowed-environment.ts";
import { type ConfineRequest, confinementFor } from "./confinement-for.ts";
import type { Place } from "./enclosure.ts";

let top = "";
let request: ConfineRequest;

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "tildone-confine-")));
  for (const folder of ["home/.ssh", "home/.cargo/bin", "app/.tools", "room", "state", "temp"])
    mkdirSync(join(top, folder), { recursive: true });
  for (const file of [
    "home/.ssh/id",
    "home/.cargo/credentials.toml",
    "home/.cargo/bin/tool",
    "state/log",
    "app/mine",
    "room/mine",
  ])
    writeFileSync(join(top, file), file);
  const env = { PATH: process.env.PATH };
  request = {
    root: join(top, "app"),
    hidden: [join(top, "state")],
    network: false,
    env,
    home: join(top, "home"),
    state: join(top, "state"),
  };
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

async function inside(line: string, given: Partial<ConfineRequest> = {}, cwd = given.root ?? request.root) {
  const confinement = await confinementFor({ ...request, ...given });
  if (confinement.status === "unconfined") throw new Error(`${confinement.cause}: ${confinement.fix}`);
  const { file, args, env } = confinement.wrap({
    file: "/bin/sh",
    args: ["-c", line],
    cwd,
    env: { ...request.env, HOME: request.home },
  });
  const child = spawn(file, [...args], { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  holdLifeline(child);
  const [status, stdout, stderr] = await Promise.all([
    new Promise<number | null>((resolve) => child.once("exit", resolve)),
    text(child.stdout!),
    text(child.stderr!),
  ]);
  return { status, out: stdout.trim(), err: stderr.trim() };
}

test("writes in the workspace and nowhere else", async () => {
  expect(await inside("pwd; echo new > made; cat made mine")).toEqual({
    status: 0,
    out: `${request.root}\nnew\napp/mine`,
    err: "",
  });
  expect(
    (await inside("echo x > /usr/x; echo x > /x; echo x > /var/x")).err.match(/Read-only file system/g),
  ).toHaveLength(3);
});

test.each([
  ["its exit code", "exit 7", 7, "", ""],
  ["no arguments", 'echo "$# $0"', 0, "0 /bin/sh", ""],
  ["what it reads from itself", "cat <<X\nhere $((1+1))\nX", 0, "here 2", ""],
  ["its traps", "trap 'echo bye' EXIT; false", 1, "bye", ""],
  ["a stop at the first failure", "set -e; false; echo never", 1, "", ""],
  ["a comment", "# nothing\necho x", 0, "x", ""],
  ["a missing program", "no-such-program-here", 127, "", "not found"],
])("a line for a shell has %s", async (_what, line, status, out, err) => {
  expect(await inside(line)).toEqual({ status, out, err: expect.stringContaining(err) });
});

test("sees toolchains of the home folder and nothing else of it", async () => {
  expect((await inside("cd && find . -type f | sort; touch .x && ls -A")).out).toBe("./.cargo/bin/tool\n.cargo\n.x");
  expect(existsSync(join(top, "home/.x"))).toBe(false);
});

test("stands at the workspace's path in a room", async () => {
  const given = { root: join(top, "room"), at: request.root };
  expect((await inside("pwd; cat mine; echo; echo x > made; ls", given)).out).toBe(
    `${request.root}\nroom/mine\nmade\nmine`,
  );
  expect(existsSync(join(top, "room/made"))).toBe(true);
});

test("keeps what is written to /tmp where it is given a folder for it, and only there", async () => {
  await inside("echo kept > /tmp/x", { temp: join(top, "temp") });
  expect((await inside("cat /tmp/x", { temp: join(top, "temp") })).out).toBe("kept");
  expect((await inside("cat /tmp/x")).err).toContain("No such file");
});

test("shows tildone's folder empty even inside the workspace", async () => {
  const state = join(request.root, ".state");
  mkdirSync(state);
  writeFileSync(join(state, "log"), "secret");
  expect((await inside(`ls -A ${state}; touch ${state}/x`, { hidden: [state] })).err).toContain("Read-only");
  rmSync(state, { recursive: true });
});

test.each<[string, (top: string) => string, string]>([
  ["your home folder", (path) => join(path, "home"), "home"],
  ["what holds it", (path) => path, ""],
])("does not confine %s as a workspace", async (_what, rootOf) => {
  expect(await confinementFor({ ...request, root: rootOf(top) })).toMatchObject({
    status: "unconfined",
    fix: expect.stringContaining("cd "),
  });
});

test.runIf(process.getuid?.() === 0)("says that a folder of another user cannot be worked in", async () => {
  const root = join(top, "theirs");
  mkdirSync(root);
  chownSync(root, 1234, 1234);
  expect(await confinementFor({ ...request, root })).toMatchObject({
    status: "unconfined",
    cause: expect.stringContaining("another user"),
    fix: expect.stringContaining("chown"),
  });
});

test("does not take bubblewrap from the workspace", async () => {
  const planted = join(request.root, "bin");
  mkdirSync(planted);
  writeFileSync(join(planted, "bwrap"), "#!/bin/sh\necho confined\n");
  chmodSync(join(planted, "bwrap"), 0o755);
  const confinement = await confinementFor({ ...request, env: { PATH: planted } });
  if (confinement.status === "unconfined") throw new Error(confinement.cause);
  const { args } = confinement.wrap({ file: "true", args: [] as readonly string[], cwd: "/", env: {} });
  expect(args.filter((word) => word.endsWith("/bwrap"))).toEqual(["/usr/bin/bwrap"]);
});

test("says what to install where there is no bubblewrap on another system", async () => {
  expect(await confinementFor({ ...request, os: "win32" })).toMatchObject({ status: "unconfined" });
  expect(await confinementFor({ ...request, root: "/nowhere-at-all" })).toMatchObject({ status: "unconfined" });
});

test("lets no key through its list of variables", () => {
  const env = {
    PATH: "/bin",
    LC_ALL: "C",
    OPENAI_API_KEY: "k",
    SSH_AUTH_SOCK: "/s",
    DISPLAY: ":0",
    NODE_OPTIONS: "-r x",
    MINE: "1",
  };
  expect(allowedEnvironment(env, ["MINE"])).toEqual({ PATH: "/bin", LC_ALL: "C", MINE: "1" });
});

/** The sandboxes that tildone itself may run in, for real: what the probe says there is what you read. */
const BEDS: readonly [string, readonly string[], string][] = [
  [
    "a sandbox that forbids further ones",
    ["--unshare-user", "--disable-userns", "--dev-bind", "/", "/"],
    "sandbox around tildone|switched off",
  ],
  [
    "a container that masks /proc",
    ["--unshare-user", "--dev-bind", "/", "/", "--tmpfs", "/proc/fs"],
    "hides parts of /proc",
  ],
  [
    "a sandbox with its own /proc, half covered",
    ["--unshare-user", "--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc"],
    "hides parts of /proc",
  ],
];

test.each(BEDS)("names the cause and the fix in %s", (_bed, around, cause) => {
  const said = tryInside(around);
  expect(said).toMatchObject({
    status: "unconfined",
    cause: expect.stringMatching(cause),
    fix: expect.stringMatching(/`.+`/),
  });
});

test("confines inside a sandbox that leaves /proc alone", () => {
  expect(tryInside(["--unshare-user", "--dev-bind", "/", "/"])).toEqual({ status: "confined", by: "bubblewrap" });
});

function tryInside(around: readonly string[]): unknown {
  const script = `
    import { confinementFor } from ${JSON.stringify(join(import.meta.dirname, "confinement-for.ts"))};
    const { wrap, ...said } = await confinementFor(${JSON.stringify(request)});
    console.log(JSON.stringify(said));`;
  const args = [...around, "--", process.execPath, "--input-type=module", "-e", script];
  const { stdout, stderr } = spawnSync("bwrap", args, { encoding: "utf8" });
  return stdout === "" ? stderr : JSON.parse(stdout);
}

test("ends everything when the process that started it is killed", async () => {
  const confinement = await confinementFor(request);
  if (confinement.status === "unconfined") throw new Error(confinement.cause);
  const mark = join(request.root, "beat");
  const line = `setsid sh -c 'while :; do date +%N > ${mark}; sleep 0.05; done' & sleep 60`;
  const wrapped = confinement.wrap({ file: "/bin/sh", args: ["-c", line], cwd: request.root, env: request.env });
  const script = `require("node:child_process").spawn(${JSON.stringify(wrapped.file)}, ${JSON.stringify(wrapped.args)}, { detached: true, stdio: ["ignore", "ignore", "ignore", "pipe"], env: ${JSON.stringify(wrapped.env)} }); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
  await until(() => existsSync(mark));
  parent.kill("SIGKILL");
  await until(() => !isAlive(mark));
});

/** A process in an enclosure of ours still names the file. */
function isAlive(mark: string): boolean {
  return (
    spawnSync("grep", ["-lsa", "--", mark, ...pids().map((pid) => `/proc/${pid}/cmdline`)], { encoding: "utf8" })
      .stdout !== ""
  );
}
const pids = (): readonly string[] =>
  spawnSync("ls", ["/proc"], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("it never came about");
}

/** A parent that starts the command, holds its lifeline and can be started fast enough to be killed 50 times. */
const PARENT = `use POSIX; use Socket; socketpair(A, B, AF_UNIX, SOCK_STREAM, 0);
  if (fork() == 0) { POSIX::setsid(); close A; POSIX::dup2(fileno(B), 3); exec @ARGV }
  close B; sleep 100`;

test("leaves nothing behind when it is killed at any moment of the start", async () => {
  const confinement = await confinementFor(request);
  if (confinement.status === "unconfined") throw new Error(confinement.cause);
  const mark = `9${process.pid}${process.hrtime.bigint() % 100000n}`;
  const line = `setsid sleep ${mark} & sleep ${mark}`;
  const { file, args, env } = confinement.wrap({
    file: "/bin/sh",
    args: ["-c", line],
    cwd: request.root,
    env: request.env,
  });
  for (let turn = 0; turn < 50; turn++) {
    const parent = spawn("perl", ["-e", PARENT, file, ...args], { stdio: "ignore", env: { ...env } });
    await new Promise((done) => setTimeout(done, turn));
    parent.kill("SIGKILL");
  }
  await until(() => !isAlive(mark));
});

test("leaves nothing behind when its group is killed before bubblewrap has tied its second process to itself", async () => {
  const confinement = await confinementFor(request);
  if (confinement.status === "unconfined") throw new Error(confinement.cause);
  const mark = `8${process.pid}${process.hrtime.bigint() % 100000n}`;
  const { file, args, env } = confinement.wrap({
    file: "/bin/sh",
    args: ["-c", `sleep ${mark}`],
    cwd: request.root,
    env: request.env,
  });
  for (let turn = 0; turn < 20; turn++) {
    const parent = spawn("perl", ["-e", PARENT, file, ...args], { stdio: "ignore", env: { ...env } });
    const leader = await firstOf(() => childrenOf(parent.pid!)[0]);
    await firstOf(() => childrenOf(leader).find((pid) => nameOf(pid) === "bwrap"));
    process.kill(-leader, "SIGKILL"); // its second process has begun, and waits for it
    parent.kill("SIGKILL");
  }
  await until(() => !isAlive(mark));
});

test("leaves nothing behind when only the first process of bubblewrap is killed at any moment, and we die later", async () => {
  const confinement = await confinementFor(request);
  if (confinement.status === "unconfined") throw new Error(confinement.cause);
  const mark = `7${process.pid}${process.hrtime.bigint() % 100000n}`;
  const { file, args, env } = confinement.wrap({
    file: "/bin/sh",
    args: ["-c", `sleep ${mark}`],
    cwd: request.root,
    env: request.env,
  });
  const parents = [];
  for (let turn = 0; turn < 30; turn++) {
    const parent = spawn("perl", ["-e", PARENT, file, ...args], { stdio: "ignore", env: { ...env } });
    const leader = await firstOf(() => childrenOf(parent.pid!)[0]);
    const second = await firstOf(() => childrenOf(leader).find((pid) => nameOf(pid) === "bwrap"));
    if (turn % 2 === 1) await firstOf(() => childrenOf(second).length > 0 || nameOf(second) === undefined || undefined);
    process.kill(leader, "SIGKILL");
    parents.push(parent);
  }
  for (const parent of parents) parent.kill("SIGKILL");
  await until(() => !isAlive(mark));
});

test("a command that waits for its children does not wait for what watches over it", async () => {
  expect((await inside("true & wait; echo over")).out).toBe("over");
});

const childrenOf = (pid: number): readonly number[] =>
  (read(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter(Boolean).map(Number);
const nameOf = (pid: number): string | undefined => read(`/proc/${pid}/comm`)?.trim();

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // it has ended meanwhile
  }
}

/** Looks without a pause: what is looked for lasts a fraction of a millisecond. */
async function firstOf<T>(look: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 100_000; tries++) {
    const found = look();
    if (found !== undefined) return found;
    if (tries % 1000 === 999) await new Promise((done) => setImmediate(done));
  }
  throw new Error("it never came about");
}

test("shows the place of a dependency where it is asked for", async () => {
  const from: Place = { from: join(top, "home/.ssh"), at: join(request.root, "deps") };
  mkdirSync(from.at, { recursive: true });
  expect((await inside("cat deps/id; touch deps/x", { readable: [from] })).out).toBe("home/.ssh/id");
});
