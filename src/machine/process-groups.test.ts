import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openProcessGroups } from "./process-groups.ts";
import { processStart } from "./process-start.ts";
import { thisMachine } from "./this-machine.ts";

let state: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "tildone-groups-"));
});
afterEach(() => {
  for (const { pid } of children.splice(0)) if (pid !== undefined && processStart(pid)) process.kill(-pid, "SIGKILL");
  rmSync(state, { recursive: true, force: true });
});

/** A shell in a group of its own, and the processes that it says it started. */
async function shell(script: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn("sh", ["-c", script], {
    detached: true,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const line = await new Promise<string>((resolve) => child.stdout!.once("data", (text) => resolve(String(text))));
  return { pid: child.pid!, exited, started: line.trim().split(/\s+/).map(Number) };
}

const gone = (...pids: number[]) =>
  vi.waitFor(() => expect(pids.map(processStart)).toEqual(pids.map(() => undefined)), { timeout: 20_000 });

/** As if the process that recorded them had been killed: its number belongs to another process now. */
function killOwner(): void {
  const folder = join(state, "groups");
  for (const name of readdirSync(folder)) {
    const note = JSON.parse(readFileSync(join(folder, name), "utf8"));
    writeFileSync(join(folder, name), JSON.stringify({ ...note, owner: { ...note.owner, started: "0" } }));
  }
}

test("a group whose tildone was killed is ended, one that ignores SIGTERM too", async () => {
  const groups = openProcessGroups(state);
  const mild = await shell("sleep 300 & echo $!; wait", groups.mark);
  const deaf = await shell("trap '' TERM; sleep 300 & echo $!; while :; do wait; done", groups.mark);
  groups.record(mild.pid);
  groups.record(deaf.pid);
  killOwner();
  expect(await openProcessGroups(state).endOrphans()).toBe(2);
  await gone(mild.pid, ...mild.started, deaf.pid, ...deaf.started);
  expect(readdirSync(join(state, "groups"))).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a group that was only about to be recorded is ended, and no other",
  async () => {
    const groups = openProcessGroups(state);
    const before = await shell("sleep 300 & echo $!; wait", groups.mark);
    await new Promise((done) => setTimeout(done, 200)); // processes are dated in hundredths of a second
    const recorded = groups.expect("call");
    const foreign = await shell("sleep 300 & echo $!; wait");
    const lost = await shell("sleep 300 & echo $!; wait", groups.mark);
    killOwner();
    expect(await openProcessGroups(state).endOrphans()).toBe(1);
    await gone(lost.pid, ...lost.started);
    expect([before.pid, foreign.pid].map((pid) => processStart(pid) !== undefined)).toEqual([true, true]);
    recorded();
    expect(readdirSync(join(state, "groups"))).toEqual([]);
  },
);

test.runIf(process.platform === "linux")(
  "what outlived the leader of a group that was only about to be recorded is ended too",
  async () => {
    const groups = openProcessGroups(state);
    groups.expect("check");
    const deaf = "sh -c 'trap \"\" TERM; sleep 300' >/dev/null &";
    const { pid, started } = await shell(`${deaf} echo $!`, groups.mark);
    await gone(pid);
    killOwner();
    expect(await openProcessGroups(state).endOrphans()).toBe(1);
    await gone(...started);
  },
);

test.runIf(process.platform === "linux")("what outlived the leader of its group is ended too", async () => {
  const groups = openProcessGroups(state);
  const { pid, started } = await shell("sleep 300 >/dev/null & echo $!; sleep 0.2", groups.mark);
  groups.record(pid);
  await gone(pid);
  killOwner();
  expect(await openProcessGroups(state).endOrphans()).toBe(1);
  await gone(...started);
});

test("while its tildone lives nothing is ended", async () => {
  const groups = openProcessGroups(state);
  const { pid, started } = await shell("sleep 300 & echo $!; wait", groups.mark);
  groups.record(pid);
  expect(await openProcessGroups(state).endOrphans()).toBe(0);
  expect(processStart(started[0]!)).toBeDefined();
});

test("a number that belongs to another process by now is left alone", async () => {
  const groups = openProcessGroups(state);
  const other = await shell("sleep 300 & echo $!; wait");
  groups.record(other.pid);
  const file = join(state, "groups", `${process.pid}.${other.pid}`);
  const note = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...note, started: "0", owner: { ...note.owner, started: "0" } }));
  expect(await openProcessGroups(state).endOrphans()).toBe(0);
  expect(processStart(other.started[0]!)).toBeDefined();
});

test("a group that ended is not remembered", async () => {
  const groups = openProcessGroups(state);
  const { pid, exited } = await shell("sleep 0.2 & echo $!; wait", groups.mark);
  const release = groups.record(pid);
  await exited;
  release();
  expect(readdirSync(join(state, "groups"))).toEqual([]);
});

test("a server in the background is remembered until tildone ends in order, and lives on then", async () => {
  const groups = openProcessGroups(state);
  const server = await shell("sleep 300 >/dev/null & echo $!", groups.mark);
  const release = groups.record(server.pid);
  release();
  expect(readdirSync(join(state, "groups")).length).toBe(1);
  groups.forget();
  expect(readdirSync(join(state, "groups"))).toEqual([]);
  expect(processStart(server.started[0]!)).toBeDefined();
  process.kill(server.started[0]!, "SIGKILL");
});

test("a folder that cannot be written is no reason not to run", () => {
  const groups = openProcessGroups("/proc/none");
  expect(() => groups.record(process.pid)()).not.toThrow();
});

test("an unfinished note goes with the process that began it", async () => {
  const folder = join(state, "groups");
  mkdirSync(folder, { recursive: true });
  for (const name of ["4194305.next.1", "4194305.77", `${process.pid}.next.9`]) writeFileSync(join(folder, name), "");
  expect(await openProcessGroups(state).endOrphans()).toBe(0);
  expect(readdirSync(folder)).toEqual([`${process.pid}.next.9`]); // still being written
});

test.each([1, -1, Number.NaN])("a forged note about process %s ends no process", async (pid) => {
  const { mark } = openProcessGroups(state);
  const groups = join(state, "groups");
  mkdirSync(groups);
  const note = { owner: { pid: 1, started: "0" }, pid, started: processStart(1), mark, machine: thisMachine() };
  writeFileSync(join(groups, "1.1"), JSON.stringify(note));
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  try {
    expect(await openProcessGroups(state).endOrphans()).toBe(0);
    expect(kill).not.toHaveBeenCalled();
  } finally {
    kill.mockRestore();
  }
});
