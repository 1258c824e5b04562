import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DriverPlace } from "../engine/index.ts";
import { processStart } from "../machine/index.ts";
import { createFakeClock } from "../testing/index.ts";
import { openDrivers } from "./open-drivers.ts";

let state: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "drivers-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(state, { recursive: true, force: true });
});

const SESSION = { host: "pi", session: "s" };
const PLACE: DriverPlace = { ...SESSION, driver: "d1", kind: "engine", program: "tildone run" };
const look = () => openDrivers({ state, clock: createFakeClock(Date.now()) }).of(SESSION);
const file = () => join(state, "drivers", readdirSync(join(state, "drivers"))[0]!);

/** A real process that enters and stays. */
async function aProcess(): Promise<ChildProcess> {
  const code = `
    import { openDrivers } from ${JSON.stringify(resolve("src/drivers/index.ts"))};
    const clock = { now: Date.now, setTimer: () => ({ cancel() {} }) };
    openDrivers({ state: ${JSON.stringify(state)}, clock }).enter(${JSON.stringify(PLACE)});
    process.stdout.write("in");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout!, "data");
  return child;
}

test("a process that entered is found with what people want to know, and one that left is not", () => {
  const drivers = openDrivers({ state, clock: createFakeClock(5) });
  const leave = drivers.enter(PLACE);
  expect(drivers.of(SESSION)).toEqual([
    expect.objectContaining({ driver: "d1", program: "tildone run", pid: process.pid, isHere: true, isAlive: true }),
  ]);
  expect(drivers.of({ host: "pi", session: "other" })).toEqual([]);
  leave();
  expect(drivers.of(SESSION)).toEqual([]);
});

test("a process that is killed with -9 is found dead", async () => {
  const child = await aProcess();
  expect(look()).toEqual([expect.objectContaining({ pid: child.pid, isAlive: true })]);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(look()).toEqual([expect.objectContaining({ pid: child.pid, isAlive: false })]);
});

test("a process that is stopped with SIGSTOP is alive", async () => {
  const child = await aProcess();
  child.kill("SIGSTOP");
  expect(look()).toEqual([expect.objectContaining({ isAlive: true })]);
  child.kill("SIGCONT");
});

test("another process with the same number is not it", async () => {
  const child = await aProcess();
  const note = JSON.parse(readFileSync(file(), "utf8"));
  expect(processStart(child.pid!)).toBe(note.started);
  writeFileSync(file(), JSON.stringify({ ...note, pid: process.pid }));
  expect(look()).toEqual([expect.objectContaining({ pid: process.pid, isAlive: false })]);
});

test.skipIf(process.platform !== "linux")(
  "a zombie is dead: it ended, and its parent did not ask for its exit code",
  async () => {
    const parent = spawn("sh", ["-c", "sleep 0 & exec sleep 100"], { stdio: "ignore" });
    children.push(parent);
    const zombie = await found(() => zombieOf(parent.pid!));
    expect(processStart(zombie)).toBeUndefined();
  },
);

test("a machine that was started anew since has no process of before", async () => {
  const machine = { name: "here", boot: "1", space: "x" };
  openDrivers({ state, clock: createFakeClock(0), machine }).enter(PLACE);
  const after = openDrivers({ state, clock: createFakeClock(0), machine: { ...machine, boot: "2" } });
  expect(after.of(SESSION)).toEqual([expect.objectContaining({ isHere: false, isAlive: false })]);
});

test.each([
  ["another machine", { name: "there" }],
  ["another container", { space: "y" }],
])("a process on %s is believed for as long as it says that it is there", async (_where, other) => {
  const machine = { name: "here", boot: "1", space: "x" };
  const clock = createFakeClock(Date.now());
  openDrivers({ state, clock, machine: { ...machine, ...other, boot: "name" in other ? "2" : "1" } }).enter(PLACE);
  const isAlive = () => openDrivers({ state, clock, machine }).of(SESSION)[0]?.isAlive;
  expect(isAlive()).toBe(true);
  await clock.advance(10 * 60_000);
  expect(isAlive()).toBe(true);
  utimesSync(file(), 1, 1);
  expect(isAlive()).toBe(false);
});

test("the next process clears the dead away", async () => {
  const child = await aProcess();
  child.kill("SIGKILL");
  await once(child, "exit");
  openDrivers({ state, clock: createFakeClock(0) }).enter(PLACE);
  expect(look().map(({ pid }) => pid)).toEqual([process.pid]);
});

test("what cannot be written or read is left out, and stops nothing", () => {
  const blocked = openDrivers({ state: "/dev/null/nowhere", clock: createFakeClock(0) });
  expect(() => blocked.enter(PLACE)()).not.toThrow();
  expect(blocked.of(SESSION)).toEqual([]);
  openDrivers({ state, clock: createFakeClock(0) }).enter(PLACE);
  writeFileSync(file(), "{ half");
  expect(look()).toEqual([]);
});

async function found<T>(look: () => T | undefined): Promise<T> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
    const value = look();
    if (value !== undefined) return value;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error("not found");
}

function zombieOf(parent: number): number | undefined {
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each)))
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      if (new RegExp(`\\) Z ${parent} `).test(stat)) return Number(name);
    } catch {} // it is gone by now
  return undefined;
}

describe("a process beside a host", () => {
  const BESIDE = { ...PLACE, kind: "server" } as const;
  const drivers = () => openDrivers({ state, clock: createFakeClock(Date.now()) });
  async function aHost(): Promise<ChildProcess> {
    const host = spawn("sleep", ["100"], { stdio: "ignore" });
    children.push(host);
    await once(host, "spawn");
    return host;
  }
  async function kill(host: ChildProcess): Promise<void> {
    host.kill("SIGKILL");
    await once(host, "exit");
  }

  test("is as dead as the host, with everything else that it does for it", async () => {
    const host = await aHost();
    drivers().enter({ ...BESIDE, hostPid: host.pid! });
    drivers().enter(PLACE);
    expect(look().map(({ isAlive, isHostGone }) => [isAlive, isHostGone])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    await kill(host);
    expect(look().map(({ isAlive, isHostGone }) => [isAlive, isHostGone])).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  test("that stays findable shows the end of its host, until another one enters or the session is heard of again", async () => {
    const host = await aHost();
    drivers().enter({ ...BESIDE, hostPid: host.pid! })("findable");
    drivers().forgetHosts(SESSION);
    expect(look()).toHaveLength(1);
    await kill(host);
    expect(look()).toEqual([expect.objectContaining({ isHostGone: true })]);
    drivers().forgetHosts(SESSION);
    expect(look()).toEqual([]);
  });

  test("that lives while its host is unknown is alive", () => {
    drivers().enter({ ...BESIDE, hostPid: 2 ** 30 });
    expect(look()).toEqual([expect.objectContaining({ isAlive: true })]);
  });
});
