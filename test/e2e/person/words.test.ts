import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { stopsAfterEachItem } from "../pi/models.ts";
import { aPerson, LONG } from "./person.ts";

const QUICK = "waits:\n  backoff: 20ms\n  backoffTries: 1\n";

test("a refused connection is said with its address, and no full bar follows", LONG, async () => {
  await using person = await aPerson({ script: [], config: QUICK });
  const desk = person.terminal();
  const { exit, screen } = await desk.runs('tildone run "x" --model m --base-url http://127.0.0.1:1/v1');
  expect(screen).toContain("connection refused by http://127.0.0.1:1/v1");
  expect(screen).not.toMatch(/overload|refused the task|Connection error|#####|0\/0/);
  expect(exit).toBe(6);
  const why = (await desk.runs("tildone why")).screen;
  expect(why).toContain("connection refused by http://127.0.0.1:1/v1");
  expect(why).not.toMatch(/overloaded/);
});

test("a connection that breaks in the middle is said with its address", LONG, async () => {
  const drops = (_request: ModelRequest): Step => ({ text: "half", stop: "dropped" });
  await using person = await aPerson({ script: drops, config: QUICK });
  const { exit, screen } = await person.terminal().runs('tildone run "x"');
  expect(screen).toContain(`${person.model.url}/v1`);
  expect(screen).not.toMatch(/overload|#####/);
  expect(exit).toBe(6);
});

test("a report that cannot be written leaves the exit code of the run", LONG, async () => {
  await using person = await aPerson({ script: stopsAfterEachItem(1) });
  const desk = person.terminal();
  const { exit, screen } = await desk.runs('tildone run "x" --approval yolo --report /nowhere/at/all.md');
  expect(screen).toContain("The report cannot be written");
  expect(screen).toMatch(/tildone report \w+ --to/);
  expect(exit).toBe(0);
});

test("a home that is a file, and a folder that was deleted, are said in one sentence", LONG, async () => {
  await using person = await aPerson({ script: [] });
  const desk = person.terminal();
  const file = person.file("a-file", "");
  for (const line of ["status", 'run "x"', "hold"]) {
    const { exit, screen } = await desk.runs(`TILDONE_HOME=${file} tildone ${line}`);
    expect(screen.replaceAll("\n", " "), line).toContain("is a file, but tildone keeps its runs in a folder there");
    expect(screen, line).not.toContain("    at ");
    expect(exit, line).toBe(1);
  }
  const { exit, screen } = await desk.runs('mkdir gone; cd gone; rmdir ../gone; tildone hold --all && tildone run "x"');
  expect(screen).toContain("Nothing to hold");
  expect(screen).toContain("This folder does not exist any more");
  expect(screen).not.toContain("    at ");
  expect(exit).toBe(1);
});

/** In blocks of 1 KiB: soon after the list was written, and later. */
const SIZES = [170, 250];
const neverSettles = (_request: ModelRequest): Step => ({ calls: [["bash", { command: "date +%N" }]] });

test.each(
  SIZES.flatMap((size) => [
    { size, how: "stops after each item", script: stopsAfterEachItem(60) },
    { size, how: "never settles", script: neverSettles },
  ]),
)("a log of $size KiB that cannot grow is said last, and ends a model that $how", LONG, async ({ size, script }) => {
  await using person = await aPerson({ script });
  const desk = person.terminal();
  const { exit, screen } = await desk.runs(
    `(ulimit -f ${size}; tildone run "sixty files" --approval yolo 2>&1 | tail -15; exit \${PIPESTATUS[0]})`,
  );
  expect(screen.replaceAll("\n", "")).toMatch(
    /Stopped: the run can no longer be recorded.*run log could not be read or written/,
  );
  expect(screen).not.toMatch(/every required check passed|60\/60/);
  expect(exit).toBe(1);
  expect(existsSync(join(person.project, "file-59.txt"))).toBe(false);
});
