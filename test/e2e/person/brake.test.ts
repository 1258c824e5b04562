import { expect, test } from "vitest";
import type { ModelRequest, Script, Step } from "../../../src/testing/index.ts";
import { writeList } from "../pi/models.ts";
import { aPerson, LONG, type Person, until } from "./person.ts";

/** Writes a list of two and never answers again; told "lazy", it only talks, until the run stops by itself. */
const worker: Script = (request: ModelRequest): Step => {
  const goal = request.messages.find(({ role }) => role === "user")?.text ?? "";
  const calls = request.messages.filter(({ role }) => role === "tool").length;
  if (calls === 0) return { calls: [writeList(2)] };
  return goal.includes("lazy") ? { text: "I think about it." } : { text: "never", after: new Promise(() => {}) };
};

/** Starts a run in a terminal of its own; resolves with its id when the agent works. */
async function startRun(person: Person, goal: string) {
  const before = new Set(await person.runs());
  const terminal = person.terminal();
  terminal.types(`tildone run "${goal}"`);
  await terminal.shows(/0\/2/);
  const [run = ""] = (await person.runs()).filter((each) => !before.has(each));
  return { terminal, run };
}

test("with an older stopped run in the folder every unnamed command means the one that works", LONG, async () => {
  await using person = await aPerson({ script: worker });
  const desk = person.terminal();
  expect((await desk.runs('tildone run "be lazy"')).exit).toBe(3);
  const [stopped = ""] = await person.runs();
  const { run } = await startRun(person, "two files");

  for (const [line, fits] of [
    ["tildone why", new RegExp(run)],
    ["tildone todo list", /item 0/],
    ["tildone report | head -8", new RegExp(run)],
    ['tildone say "be quick"', new RegExp(run)],
    ['tildone todo add "one more"', /one more/],
  ] as const) {
    const { exit, screen } = await desk.runs(line);
    expect(screen, line).toMatch(fits);
    expect(screen, line).not.toContain(stopped);
    expect(exit, line).toBe(0);
  }
  const held = await desk.runs("tildone hold");
  expect(held).toEqual({
    exit: 0,
    screen: `Held: ${run}  pi  0/3 done  two files\nTo continue: tildone unhold ${run}`,
  });
  expect((await person.log(stopped)).some(({ event }) => event.type === "human.held")).toBe(false);
});

test("hold holds all that works and lists it; unhold in another terminal releases exactly that", LONG, async () => {
  await using person = await aPerson({ script: worker });
  const desk = person.terminal();
  expect((await desk.runs("tildone hold")).screen).toMatch(/^Nothing to hold\. There is no run on this machine yet/);
  const first = await startRun(person, "early");
  expect((await desk.runs(`tildone hold ${first.run}`)).exit).toBe(0);
  const [second, third] = [await startRun(person, "beta"), await startRun(person, "gamma")];

  const { exit, screen } = await desk.runs("tildone hold");
  expect(exit).toBe(0);
  expect(screen).not.toContain(`Held: ${first.run}`);
  for (const { run } of [second, third]) expect(screen).toContain(`Held: ${run}`);
  expect(screen).toContain("To continue all of them: tildone unhold");

  const other = person.terminal();
  const released = (await other.runs("tildone unhold")).screen;
  for (const { run } of [second, third]) expect(released).toContain(`Continues: ${run}`);
  expect(released).not.toContain(first.run);
  expect((await other.runs(`tildone status ${first.run}`)).screen).toContain("held");
  expect((await other.runs("tildone unhold")).screen).toContain(`Continues: ${first.run}`);
});

test("hold --all reaches other folders, and unhold where it was said releases them", LONG, async () => {
  await using person = await aPerson({ script: worker });
  const { run } = await startRun(person, "far away");
  const elsewhere = person.terminal(person.root);
  expect((await elsewhere.runs("tildone hold")).screen).toMatch(/No run belongs to this folder[\s\S]*Active elsewhere/);
  expect((await elsewhere.runs("tildone hold --all")).screen).toContain(`Held: ${run}`);
  expect((await elsewhere.runs("tildone unhold")).screen).toContain(`Continues: ${run}`);
});

test(
  "a run that lives cannot be resumed elsewhere, one that was killed can, and SIGSTOP is not death",
  LONG,
  async () => {
    await using person = await aPerson({ script: worker });
    const { run, terminal } = await startRun(person, "two files");
    const pid = terminal.pid();
    const desk = person.terminal();
    const refused = async () => {
      const { exit, screen } = await desk.runs("tildone run --resume");
      expect(screen).toContain(`${run} is being worked on by tildone run (process ${pid})`);
      expect(screen).toMatch(new RegExp(`end it there: +kill -INT ${pid}$`, "m"));
      expect(exit).toBe(1);
    };
    await refused();
    process.kill(pid, "SIGSTOP");
    await refused();
    process.kill(pid, "SIGKILL");
    desk.types(`clear; tildone run --resume ${run}`);
    await until(async () => (await person.log(run)).some(({ event }) => event.type === "turn.cut"), "it is taken over");
    await desk.shows(/0\/2/);
  },
);

test("hold of a run that stopped keeps it stopped, and says that it was not working", LONG, async () => {
  await using person = await aPerson({ script: worker });
  const desk = person.terminal();
  await desk.runs('tildone run "be lazy"');
  const [run] = await person.runs();
  const { exit, screen } = await desk.runs("tildone hold");
  expect(exit).toBe(0);
  expect(screen).toContain(`Held (it was not working): ${run}`);
});
