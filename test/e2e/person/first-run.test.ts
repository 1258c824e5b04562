import { expect, test } from "vitest";
import { stopsAfterEachItem } from "../pi/models.ts";
import { aPerson, LONG } from "./person.ts";

test("a person types a goal, and the run works until its list is done", LONG, async () => {
  await using person = await aPerson({ script: stopsAfterEachItem(2) });
  const terminal = person.terminal();
  const { exit, screen } = await terminal.runs('tildone run "make two files" --approval auto-edit');
  expect(screen).toMatch(/2\/2/);
  expect(exit).toBe(0);
});
