import { expect, test } from "vitest";
import { createWrites } from "./writes.ts";

const fails = () => {
  throw new Error("full");
};
const tries = (writes: ReturnType<typeof createWrites>, write: () => boolean) => {
  try {
    writes.attempt(write, (written) => written);
  } catch {
    // what is counted here
  }
};

test("a turn is given up from the third failure in a row on, and a write begins anew", () => {
  const given: string[] = [];
  const writes = createWrites((why) => given.push(why));
  for (const write of [fails, fails, () => true, fails, fails]) tries(writes, write);
  expect(given).toEqual([]);
  for (const write of [fails, fails]) tries(writes, write);
  expect(given).toEqual(["full", "full"]);
});

test("what was lost is known until something is written; what only reads shows nothing", () => {
  const writes = createWrites(() => {});
  expect(writes.lost()).toBeUndefined();
  tries(writes, fails);
  tries(writes, () => false);
  expect(writes.lost()).toBe("full");
  tries(writes, () => true);
  expect(writes.lost()).toBeUndefined();
});
