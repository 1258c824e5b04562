import { randomUUID } from "node:crypto";
import { readWorkflows, type Whereabouts } from "../compose/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { findWorkflow, listWorkflows } from "../workflows/index.ts";

export type StartWorkflow =
  | { readonly ok: true; readonly trigger: Trigger & { type: "workflow.start" } }
  | { readonly ok: false; readonly message: string };

/** `<name> <description>` as the trigger that starts it, or what the human should know. Loaded only when somebody asks. */
export async function startWorkflow(words: string, here: Whereabouts): Promise<StartWorkflow> {
  const [, name = "", description = ""] = /^(\S*)\s*([\s\S]*)$/.exec(words) ?? [];
  const library = await readWorkflows(here);
  if (name === "" || description === "")
    return { ok: false, message: `Say: tildone workflow <name> <description>\n\n${listWorkflows(library)}` };
  const found = findWorkflow(library, name);
  if (found.status === "not_found") return { ok: false, message: found.message };
  const taskId = `wf-${randomUUID().slice(0, 8)}`;
  return {
    ok: true,
    trigger: { type: "workflow.start", start: { ...found.start, description, taskId, whenActive: "refuse" } },
  };
}
