import { type Refusal, readEdit, readWrite } from "../todo/index.ts";
import { STEP_ACTIONS } from "../workflow/index.ts";
import type { Trigger, Writer } from "./trigger.ts";

/** A call of one of our tools, read: what to tell the run, or a wish to see the list, or what is wrong with it. */
export type ReadCall =
  | { readonly type: "trigger"; readonly trigger: Trigger }
  | { readonly type: "list" }
  | { readonly type: "refused"; readonly refusal: Refusal }
  | { readonly type: "unknown" };

const SUMMARY = 2000;

/** For hosts that hand over a name and arguments. `batch` names calls that were written against the same list. */
export function readToolCall(name: string, args: unknown, by: Writer, batch?: string): ReadCall {
  const inBatch = batch === undefined ? {} : { batch };
  switch (name) {
    case "list_todos":
      return { type: "list" };
    case "write_todos": {
      const read = readWrite(args);
      if (!read.ok) return { type: "refused", refusal: read.refusal };
      return { type: "trigger", trigger: { type: "todos.write", write: read.value, by, ...inBatch } };
    }
    case "edit_todos": {
      const read = readEdit(args);
      if (!read.ok) return { type: "refused", refusal: read.refusal };
      return { type: "trigger", trigger: { type: "todos.edit", edit: read.value, by, ...inBatch } };
    }
    case "workflow_step":
      return readStep(args, by);
    default:
      return { type: "unknown" };
  }
}

function readStep(args: unknown, by: Writer): ReadCall {
  const given = typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {};
  const action = STEP_ACTIONS.find((known) => known === given.action);
  if (!action)
    return {
      type: "refused",
      refusal: { code: "unknown_action", message: `The action is ${STEP_ACTIONS.join(", ")}.` },
    };
  const { summary } = given;
  if (summary !== undefined && summary !== null && typeof summary !== "string")
    return { type: "refused", refusal: { code: "bad_shape", message: "The summary must be text." } };
  return {
    type: "trigger",
    trigger: {
      type: "workflow.step",
      action,
      by,
      ...(typeof summary === "string" && { summary: summary.slice(0, SUMMARY) }),
    },
  };
}
