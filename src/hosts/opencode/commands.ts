import { randomUUID } from "node:crypto";
import { startWorkflow, type Whereabouts } from "../../compose/index.ts";
import {
  answerTo,
  COMMANDS,
  type CommandName,
  listText,
  type Place,
  readOrder,
  statusText,
  triggerOf,
} from "../../core/command/index.ts";
import { IGNORED } from "../../core/react/index.ts";
import { initialMessage } from "../../core/workflow/index.ts";
import type { RootSession } from "./root-session.ts";

/** What a command came to: words for you and no turn, or words that begin one. */
export type Said =
  | {
      readonly type: "told";
      readonly text: string;
      /** What the agent was doing ends with it. */
      readonly ends?: boolean;
      /** What the model reads where OpenCode asks it anyway, or where nothing else would tell the run to continue. */
      readonly asks?: string | undefined;
    }
  | { readonly type: "begins"; readonly text: string };

/** As OpenCode lists them beside its own; none of these is a name of OpenCode's. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(COMMANDS).map(([name, { says }]) => [name, `tildone: ${says}`]),
);

const PLACE: Place = { prefix: "/", starts: true };

export async function carryOut(name: CommandName, args: string, root: RootSession, here: Whereabouts): Promise<Said> {
  const read = readOrder(name, args);
  if (read.status === "unclear") return told(read.message);
  const { order } = read;
  switch (order.type) {
    case "list":
      return told(listText(root.run()));
    case "status":
      return told(statusText(root.run()));
    case "workflow": {
      const start = await startWorkflow(order, here, "Usage: /workflow");
      if (!start.ok) return told(start.message);
      const reply = await root.tell(start.trigger);
      const state = root.run()?.plan.workflow;
      if (reply.type === "done" && state) return { type: "begins", text: initialMessage(state) };
      if (reply.type === "refused") return told(reply.refusal.message);
      return told(reply.type === "ignored" ? IGNORED[reply.why] : "The workflow did not start.");
    }
    default: {
      const isAtWork = root.run()?.ledger.turn !== undefined;
      const reply = await root.tell(triggerOf(order, randomUUID));
      const { text } = answerTo(order, reply, root.run(), PLACE);
      if (order.type === "hold") return { ...told(text), ends: order.now || isAtWork };
      return order.type === "unhold" && order.text === "" ? { ...told(text), asks: root.openWork() } : told(text);
    }
  }
}

const told = (text: string) => ({ type: "told", text }) as const;
