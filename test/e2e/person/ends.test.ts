import { expect, test } from "vitest";
import { type ModelRequest, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { stopsAfterEachItem, writeList } from "../pi/models.ts";
import { aPerson, LONG, type Person, until } from "./person.ts";

const never = new Promise<void>(() => {});
const hangs = (_request: ModelRequest, count: number): Step =>
  count === 1 ? { calls: [writeList(2)] } : { text: "never", after: never };

const wasInterrupted = async (person: Person) =>
  (await person.log()).some(
    ({ event }) =>
      event.type === "decision.made" && event.decision.type === "stop" && event.decision.reason === "interrupted",
  );

test("a reader that leaves early interrupts the run, and the run says so", LONG, async () => {
  await using person = await aPerson({ script: stopsAfterEachItem(20) });
  const desk = person.terminal();
  // After what it works with, and the first line of its work.
  const { screen } = await desk.runs(
    'tildone run "twenty files" --approval yolo | head -8; echo "left ${PIPESTATUS[0]}"',
  );
  expect(screen).toContain("left 141");
  expect(await wasInterrupted(person)).toBe(true);
  const status = (await desk.runs("tildone status")).screen;
  expect(status).toMatch(/stopped/);
  expect(status).not.toMatch(/working|all_done/);
});

test("a terminal that is closed interrupts the run", LONG, async () => {
  await using person = await aPerson({ script: hangs });
  const window = person.terminal();
  window.types('tildone run "two files"');
  await window.shows(/0\/2/);
  const pid = window.pid();
  window.close();
  await until(() => wasInterrupted(person), "the run is interrupted");
  await until(() => !isThere(pid), "the process has ended");
  const desk = person.terminal();
  expect((await desk.runs("tildone status")).screen).toMatch(/stopped/);
});

test("--resume asks the model and the server that the run was begun with", LONG, async () => {
  await using person = await aPerson({ script: [{ text: "I am the wrong model." }] });
  const other = await startScriptedModel(hangs);
  const desk = person.terminal();
  desk.types(`tildone run "two files" --approval yolo --model mine --base-url ${other.url}/v1`);
  await desk.shows(/0\/2/);
  desk.keys("C-c");
  await desk.shows(/--resume/);
  other.play(stopsAfterEachItem(2));
  const { exit } = await desk.runs("tildone run --resume --approval yolo");
  await other.close();
  expect(person.model.requests).toEqual([]);
  expect(exit).toBe(0);
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
