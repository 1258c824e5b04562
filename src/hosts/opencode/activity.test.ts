import { expect, test } from "vitest";
import { createActivity } from "./activity.ts";

type Activity = ReturnType<typeof createActivity>;

/** What OpenCode said before, and what its next idle then means. */
test.each<[string, (it: Activity, pass: (ms: number) => void) => void, string]>([
  ["it worked", (it) => it.works(), "busy"],
  ["nothing", () => {}, "idle"],
  ["a command that asks no model", (it) => it.unasked(), "unasked"],
  ["a command that asks no model, called work", (it) => [it.unasked(), it.works()], "unasked"],
  ["a command that asks no model while it works", (it) => [it.works(), it.unasked()], "busy"],
  ["a command that asks the model after all", (it) => [it.unasked(), it.asked(), it.works()], "busy"],
  ["the stored error of a turn that is over", (it) => it.errorStored(), "echo"],
  ["a stored error, long ago", (it, pass) => [it.errorStored(), pass(5_000)], "idle"],
  ["a stored error before it worked", (it) => [it.errorStored(), it.works()], "busy"],
  ["a stored error while it works, and its idle", (it) => [it.works(), it.errorStored(), it.idle()], "echo"],
  ["a stored error, its idle and its echo", (it) => [it.works(), it.errorStored(), it.idle(), it.idle()], "idle"],
  [
    "a stored error while it works, long ago",
    (it, pass) => [it.works(), it.errorStored(), it.idle(), pass(5_000)],
    "idle",
  ],
  ["our own abort, and its idle", (it) => [it.works(), it.endedByUs(), it.idle()], "echo"],
  ["our own abort that was too late", (it) => [it.works(), it.idle(), it.endedByUs()], "echo"],
  ["our own abort, long ago", (it, pass) => [it.works(), it.endedByUs(), it.idle(), pass(5_000)], "idle"],
  ["our own abort, and a turn after it", (it) => [it.endedByUs(), it.works(), it.idle()], "idle"],
  ["a stored error around a command", (it) => [it.errorStored(), it.unasked(), it.idle()], "echo"],
])("after %s an idle means: %s", (_before, act, means) => {
  let now = 0;
  const it = createActivity(() => now);
  act(it, (ms) => {
    now += ms;
  });
  expect(it.idle()).toBe(means);
  expect(it.isBusy()).toBe(false);
});
