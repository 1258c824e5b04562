import { expect, test } from "vitest";
import { history } from "../../testing/index.ts";
import { mayBeEndedByYou } from "./index.ts";

test.each([
  ["in a turn of yours", true, history().writes("a").turn("human")],
  ["after a nudge that the host did not take", false, history().writes("a").turn("human").ends()],
  ["in the turn after a nudge", true, history().writes("a").turn("human").ends().nudged()],
])("a host that ends %s: you may have ended it: %s", (_when, expected, { run }) => {
  expect(mayBeEndedByYou(run.ledger, false)).toBe(expected);
  expect(mayBeEndedByYou(run.ledger, true)).toBe(false); // a supervisor tells how its process ended
});
