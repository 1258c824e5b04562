import type { Tildone } from "../../compose/index.ts";
import type { MessageQueue, Scheduler } from "../../scheduler/index.ts";
import type { ScheduledTools } from "../scheduled-tools.ts";
import type { ApprovalDialog } from "./approval-dialog.ts";
import type { Prompts } from "./prompts.ts";

/** The session that the terminal shows, with what tildone does in it. */
export interface OpenSession {
  readonly tildone: Tildone;
  /** pi's id of it. */
  readonly session: string;
  readonly scheduler: Scheduler;
  readonly tools: ScheduledTools;
  readonly queue: MessageQueue;
  readonly approvals: ApprovalDialog;
  readonly prompts: Prompts;
}
