import { expect, test } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createTurnWatch } from "./turn-watch.ts";

function aWatch() {
  const clock = createFakeClock(1_000_000);
  const aborted = Promise.withResolvers<void>();
  let aborts = 0;
  const watch = createTurnWatch({
    clock,
    tell: () => Promise.resolve({ type: "ignored", why: "no_run" }),
    run: () => undefined,
    turn: () => "t1",
    abort: () => {
      aborts++;
      return aborted.promise;
    },
  });
  watch.begins();
  return { clock, watch, taken: aborted.resolve, aborts: () => aborts };
}

const settles = async (promise: Promise<unknown>): Promise<boolean> => {
  let isOver = false;
  void promise.then(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return isOver;
};

test("a turn that is to end after its tool is aborted when the last one ended, and asks for nothing more before that is done", async () => {
  const { watch, taken, aborts, clock } = aWatch();
  await watch.callBegins("c1");
  await watch.callBegins("c2");
  watch.end({ how: "after_tool", says: "on hold" });
  await watch.callEnds("c1");
  expect(aborts()).toBe(0);
  await watch.callEnds("c2");
  const request = watch.requested();
  expect([aborts(), await settles(request)]).toEqual([1, false]);
  taken();
  await request;
  expect([aborts(), clock.pending]).toEqual([1, 0]);
});

test("an abort that OpenCode never answers keeps a request back for two seconds at most", async () => {
  const { watch, clock } = aWatch();
  watch.end({ how: "now", says: "on hold" });
  const request = watch.requested();
  expect(await settles(request)).toBe(false);
  await clock.advance(2_000);
  await request;
});

test("a request of a turn that does not end goes out at once", async () => {
  const { watch, aborts } = aWatch();
  await watch.requested();
  expect(aborts()).toBe(0);
});
