import { describe, expect, test } from "vitest";
import type { Reply, Trigger } from "../core/react/index.ts";
import { withEarlyStart } from "./early-start.ts";

const start: Trigger = { type: "todos.edit", edit: { action: "start", indices: [0] }, by: "model" };
const complete: Trigger = { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" };
const write: Trigger = { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" };

/** A list that is empty until it is written, and what it was told. */
function aList(noList: Reply) {
  const told: string[] = [];
  let isWritten = false;
  const tell = withEarlyStart(async (trigger) => {
    told.push(trigger.type === "todos.edit" ? trigger.edit.action : trigger.type);
    if (trigger.type === "todos.write") isWritten = true;
    return isWritten ? { type: "done", text: `${told.at(-1)}\n[0] a` } : noList;
  });
  return { told, tell };
}

describe("a start before the list", () => {
  test.each<[string, Reply]>([
    ["no run yet", { type: "ignored", why: "no_run" }],
    ["a run that has ended", { type: "ignored", why: "run_ended" }],
    ["an empty list", { type: "refused", refusal: { code: "list_empty", message: "" } }],
  ])("is done with the write that follows it: %s", async (_what, noList) => {
    const { told, tell } = aList(noList);
    expect(await tell(start)).toEqual({ type: "done", text: expect.stringContaining("There is no list yet") });
    expect(await tell(write)).toEqual({ type: "done", text: "todos.write\n[0] a\n\nstart\n[0] a" });
    expect(told).toEqual(["start", "todos.write", "start"]);
  });

  test("is forgotten when another call comes first, and done once only", async () => {
    const { told, tell } = aList({ type: "ignored", why: "no_run" });
    await tell(start);
    await tell(complete);
    await tell(write);
    await tell(write);
    expect(told).toEqual(["start", "complete", "todos.write", "todos.write"]);
  });

  test("any other refusal is answered as it is", async () => {
    const refused: Reply = { type: "refused", refusal: { code: "needs_unmet", message: "first [1]" } };
    const { tell } = aList(refused);
    expect(await tell(start)).toEqual(refused);
    expect(await tell(complete)).toEqual(refused);
  });
});
