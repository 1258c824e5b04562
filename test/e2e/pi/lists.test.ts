import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { nudges, stopsAfterEachItem } from "./models.ts";
import { openSandbox } from "./sandbox.ts";

/** The list, then two requests for every item: the calls and the words after them. */
const requestsFor = (items: number): number => 2 + 2 * items;

test.each([3, 20, 100])("print: a model that stops after every todo finishes a list of %i", async (items) => {
  await using box = await openSandbox({ script: stopsAfterEachItem(items) });
  const { code, out, err } = await box.run("-p", "do it");
  expect([code, out]).toEqual([0, "That is done, I stop here.\n"]);
  expect(err).toBe(`tildone: Everything is finished, but nothing proves it. [${items}/${items}]\n`);
  expect(box.model.requests.length).toBe(requestsFor(items));
  const sent = nudges(box.model.requests);
  expect([sent.length, new Set(sent).size]).toEqual([items, items]);
  expect(readdirSync(box.cwd).length).toBe(items);
});
