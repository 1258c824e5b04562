import { expect, test } from "vitest";
import { createHeldText } from "./held-text.ts";

const never = () => new Promise<void>(() => {});

test("a prompt that came while the text was held is waited for until it is stored", async () => {
  const held = createHeldText(never);
  held.hold();
  held.prompted("m1");
  held.release();
  let isStored = false;
  const all = held.allStored().then(() => {
    isStored = true;
  });
  held.stored("another");
  await Promise.resolve();
  expect(isStored).toBe(false);
  held.stored("m1");
  await all;
  expect(isStored).toBe(true);
  await expect(held.allStored()).resolves.toBeUndefined(); // nothing is waited for twice
});

test("a prompt that came before or after is not waited for", async () => {
  const held = createHeldText(never);
  held.prompted("before");
  held.hold();
  held.release();
  held.prompted("after");
  await expect(held.allStored()).resolves.toBeUndefined();
});

test("one that is never stored is given up", async () => {
  let waits = 0;
  const held = createHeldText(async () => void waits++);
  held.hold();
  held.prompted("m1");
  await expect(held.allStored()).resolves.toBeUndefined();
  expect(waits).toBe(1);
});
