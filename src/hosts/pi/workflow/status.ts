import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { statusLine, type WorkflowState } from "../../../core/workflow/index.ts";

export const WORKFLOW_STATUS = "workflow";

/** `Release > Review [2/3] > 🔍 Read [1/2]` while one is active. */
export function showWorkflow({ ui }: Pick<ExtensionContext, "ui">, state: WorkflowState | undefined): void {
  // Without a screen of its own the embedding program draws it, and has its own room.
  const { isTTY, columns } = process.stdout;
  ui.setStatus(WORKFLOW_STATUS, isTTY ? statusLine(state, columns - BESIDE) : statusLine(state));
}

/** What the same line of the footer holds before it: how far the list is, and what continues and asks. */
const BESIDE = 52;
