import { randomUUID } from "node:crypto";
import type { Order } from "../core/command/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { findWorkflow, listWorkflows } from "../workflows/index.ts";
import type { Whereabouts } from "./project-trust.ts";
import { readWorkflows } from "./read-workflows.ts";

type WorkflowOrder = Order & { readonly type: "workflow" };
type Start = (Trigger & { type: "workflow.start" })["start"];

export type StartWorkflow =
  | { readonly ok: true; readonly trigger: Trigger & { type: "workflow.start" } }
  | { readonly ok: false; readonly message: string };

/** The workflow that was asked for as the trigger that starts it, or what you should know. `usage`: how it is asked for there. */
export async function startWorkflow(order: WorkflowOrder, here: Whereabouts, usage: string): Promise<StartWorkflow> {
  const library = await readWorkflows(here);
  if (order.name === "" || order.description === "")
    return { ok: false, message: `${usage} <name> <description>\n\n${listWorkflows(library)}` };
  const found = findWorkflow(library, order.name);
  if (found.status === "not_found") return { ok: false, message: found.message };
  return { ok: true, trigger: startTrigger(found.start, order) };
}

/** An active workflow is replaced only where you say so; anywhere else the new one is refused. */
export const startTrigger = (
  found: Pick<Start, "workflowKey" | "forest" | "fingerprint">,
  { description, replaces }: WorkflowOrder,
): Trigger & { type: "workflow.start" } => ({
  type: "workflow.start",
  start: {
    ...found,
    description,
    taskId: `wf-${randomUUID().slice(0, 8)}`,
    whenActive: replaces ? "replace" : "refuse",
  },
});
