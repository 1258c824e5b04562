import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { stopsAfterEachItem } from "../pi/models.ts";
import { aPerson, LONG, until } from "./person.ts";

/** Its second answer comes when it is let. */
function gated() {
  const gate = Promise.withResolvers<void>();
  const script = (request: ModelRequest, count: number): Step =>
    count === 2 ? { ...stopsAfterEachItem(2)(request), after: gate.promise } : stopsAfterEachItem(2)(request);
  return { open: gate.resolve, script };
}

const RUN = 'tildone run "two files" --approval auto-edit';

test("nohup tildone run works on when its terminal is closed", LONG, async () => {
  const { open, script } = gated();
  await using person = await aPerson({ script });
  const desk = person.terminal();
  desk.types(`nohup ${RUN} &`);
  await person.model.received(2);
  desk.close();
  open();
  await until(async () => (await person.log()).some(({ event }) => event.type === "run.ended"), "the run ended");
  const log = await person.log();
  expect(log.filter(({ event }) => event.type === "human.interrupted")).toEqual([]);
  expect(log.findLast(({ event }) => event.type === "run.ended")?.event).toMatchObject({ reason: "done_unproven" });
});

test("without it a closed terminal interrupts the run, which can be resumed", LONG, async () => {
  const { open, script } = gated();
  await using person = await aPerson({ script });
  const desk = person.terminal();
  desk.types(RUN);
  await person.model.received(2);
  desk.close();
  await until(
    async () => (await person.log()).some(({ event }) => event.type === "human.interrupted"),
    "the run is interrupted",
  );
  open();
  const { exit } = await person.terminal().runs("tildone run --resume --approval auto-edit");
  expect(exit).toBe(0);
});
