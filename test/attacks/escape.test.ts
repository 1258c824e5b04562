import { spawn, spawnSync } from "node:child_process";
import { openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowedEnvironment, type Confinement, confinementFor, type Launch } from "../../src/confine/index.ts";
import { holdLifeline } from "../../src/machine/index.ts";
import { type EscapeWorld, escapeWorld } from "./escape-world.ts";
import { type Escape, escapes } from "./escapes.ts";

type Confined = Extract<Confinement, { status: "confined" }>;
const NOBODY = 65534;
const mine = process.getuid?.() ?? NOBODY;
/** Root is the harder one to hold: what the kernel gives to its files' owner it gives to the confined one, too. */
const USERS = mine === 0 ? [0, NOBODY] : [mine];

type Guard = [what: string, without: (args: readonly string[]) => readonly string[], ways: RegExp];

const FOR_ROOT: Guard[] = [
  ["a /proc that cannot be written", withoutPair("--remount-ro", "/proc"), /core_pattern/],
  ["dropped capabilities", without("--cap-drop", 1), /capability/],
];

describe.each(USERS)("as user %i", (uid) => {
  let world: EscapeWorld;
  let room: Confined;

  beforeAll(async () => {
    world = await escapeWorld(uid);
    room = await confined(world);
  });
  afterAll(() => world.dispose());

  test("every way out is closed", async () => {
    const out: string[] = [];
    for (const way of escapes(world)) {
      if (await gotOut(world, way, inside(world, room, way.line))) out.push(way.name);
      expect([way.name, world.isVictimAlive()]).toEqual([way.name, true]);
    }
    expect(out).toEqual([]);
    expect(escapes(world).length).toBeGreaterThanOrEqual(60);
  });

  test("the same ways lead out where nothing is confined", async () => {
    const held: string[] = [];
    for (const way of escapes(world)) {
      if (!way.control) continue;
      if (!(await gotOut(world, way, plain(world, way.line)))) held.push(way.name);
      world.restore();
    }
    expect(held).toEqual([]);
  });

  /** Each of these holds back at least one way: without it the suite would notice. */
  test.each<Guard>([
    ["its own processes", without("--unshare-pid"), /process outside/],
    ["its own network", without("--unshare-net"), /reaches (a server|an abstract)/],
    ["its own shared memory", without("--unshare-ipc"), /shared memory/],
    ["the filter for system calls", without("--seccomp", 1), /setuid bit|keyring/],
    ["its own files", (args) => before(args, "--chdir", "--dev-bind", "/", "/", "--chdir"), /reads a key by its path/],
    ...(uid === 0 ? FOR_ROOT : []),
  ])("notices that %s is missing", async (_what, broken, expected) => {
    const found = escapes(world).filter(({ name }) => expected.test(name));
    const got: string[] = [];
    for (const way of found) {
      const launch = inside(world, room, way.line);
      if (await gotOut(world, way, { ...launch, args: broken(launch.args) })) got.push(way.name);
      world.restore();
    }
    expect(got).not.toEqual([]);
  });

  test.each([
    ["in the background", "sleep 54321 & echo $!"],
    ["in a session of its own", "setsid sleep 54321 & sleep 0.2"],
    ["in the background", "(nohup sh -c 'sleep 54321' >/dev/null 2>&1 &) ; sleep 0.2"],
    ["that ignores signals", "(trap '' TERM HUP INT; setsid sh -c \"trap '' TERM; sleep 54321\" &) ; sleep 0.2"],
  ])("leaves no process %s", async (_how, line) => {
    await run(inside(world, room, line), uid);
    await expect.poll(() => processesWith("54321")).toEqual([]);
  });

  test("hands on no file that was open", async () => {
    const launch = inside(
      world,
      room,
      `for f in /proc/self/fd/*; do cat "$f" "$f/id_ed25519" 2>/dev/null; done; cat <&11; ls -l /proc/self/fd`,
    );
    const script = join(world.top, "open-files.ts");
    writeFileSync(
      script,
      `import { runCommand } from ${JSON.stringify(join(process.cwd(), "src/checks/run-command.ts"))};
       import { createOutputTail } from ${JSON.stringify(join(process.cwd(), "src/checks/output-tail.ts"))};
       import { systemClock } from ${JSON.stringify(join(process.cwd(), "src/machine/index.ts"))};
       const output = createOutputTail(10000);
       const command = { ...${JSON.stringify(launch)}, timeoutMs: 20000, graceMs: 1000 };
       console.log(JSON.stringify(await runCommand(command, output, systemClock(), new AbortController().signal)), output.text());`,
    );
    const open = [openSync(world.secrets["a key"], "r"), openSync(join(world.home, ".ssh"), "r")];
    const stdio = ["ignore", "pipe", "pipe", open[1]!, ...Array(7).fill("ignore"), open[0]!];
    const { stdout, stderr } = spawnSync(process.execPath, [script], {
      stdio: stdio as never,
      encoding: "utf8",
      uid,
      gid: uid,
    });
    expect(stderr).toBe("");
    expect(stdout).toContain('"status":"exited"');
    expect(stdout).not.toContain(world.token);
    expect(stdout).not.toContain("/.ssh");
  });

  test("has no terminal to type into", () => {
    const { file, args, env, cwd } = inside(
      world,
      room,
      "(: < /dev/tty) 2>/dev/null && echo ESCAPED; ps -o tty= -p $$ | tr -d ' '",
    );
    const script = join(world.top, "terminal.sh");
    writeFileSync(script, `cd ${quoted(cwd)}; mkfifo ../echo; ${[file, ...args].map(quoted).join(" ")} 3<>../echo\n`);
    const { stdout } = spawnSync("script", ["-qec", `sh ${script}`, "/dev/null"], {
      encoding: "utf8",
      env: { ...env },
      uid,
      gid: uid,
    });
    expect(stdout.trim().split(/\s+/)).toEqual([STARTED, "?"]);
  });
});

async function confined(world: EscapeWorld): Promise<Confined> {
  const { root, workspace, temp, home, state } = world;
  const env = { ...variables(world), HOME: home };
  const hidden = [state, join(home, ".config/tildone")];
  const confinement = await confinementFor({ root, at: workspace, temp, home, state, hidden, env, network: false });
  if (confinement.status === "unconfined") throw new Error(`${confinement.cause}. ${confinement.fix}`);
  spawnSync("chown", ["-R", String(world.uid), state]); // what confines is read by the user who starts it
  return confinement;
}

/** What is installed for root alone is nothing to another user. */
const variables = ({ uid }: EscapeWorld) => (uid === mine ? process.env : { PATH: "/usr/local/bin:/usr/bin:/bin" });

function inside(world: EscapeWorld, { wrap }: Confined, line: string): Launch {
  const { root, home, token } = world;
  const env = allowedEnvironment({ ...variables(world), HOME: home, SECRET: token, SSH_AUTH_SOCK: "/x" });
  return wrap({ file: "/bin/sh", args: ["-c", `echo ${STARTED}; ${line}`], cwd: root, env });
}

/** A command that never ran did not get out, either. */
const STARTED = "started";

const plain = ({ root, home }: EscapeWorld, line: string): Launch => ({
  ...{ file: "/bin/sh", args: ["-c", `echo ${STARTED}; ${line}`], cwd: root },
  env: { PATH: process.env.PATH, HOME: home },
});

async function gotOut({ token, uid }: EscapeWorld, { happened }: Escape, launch: Launch): Promise<boolean> {
  const printed = await run(launch, uid, token);
  expect(printed).toContain(STARTED);
  return printed.includes(token) || /^ESCAPED$/m.test(printed) || (happened?.() ?? false);
}

/** The process that starts it has a key in the keyring of its session. */
const WITH_KEY =
  'my ($kind, $name, $token) = ("user", "tildone-escape", shift); syscall(250, 1, 0); syscall(248, $kind, $name, $token, length($token), -3); exec @ARGV';

async function run({ file, args, cwd, env }: Launch, uid: number, token = "-"): Promise<string> {
  const child = spawn("perl", ["-e", WITH_KEY, token, file, ...args], {
    cwd,
    env: { ...env },
    uid,
    gid: uid,
    detached: true,
    timeout: 20_000,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  holdLifeline(child);
  let out = "";
  child.stdout?.on("data", (chunk) => (out += chunk));
  child.stderr?.resume();
  await new Promise((done) => child.on("close", done));
  return out;
}

/** Without the word and the values that follow it. */
function without(word: string, values = 0) {
  return (args: readonly string[]) => {
    const at = args.indexOf(word);
    expect(at).toBeGreaterThan(0);
    return args.toSpliced(at, 1 + values);
  };
}

function withoutPair(word: string, value: string) {
  return (args: readonly string[]) =>
    args.filter(
      (each, index) => !(each === word && args[index + 1] === value) && !(each === value && args[index - 1] === word),
    );
}

const before = (args: readonly string[], word: string, ...words: readonly string[]) =>
  args.toSpliced(args.indexOf(word), 1, ...words);
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function processesWith(word: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
    } catch {
      return false;
    }
  });
}
