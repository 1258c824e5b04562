import type { StartWorkflow } from "../compose/index.ts";
import { answerTo, listText, type Order, type Place, statusText, triggerOf } from "../core/command/index.ts";
import { IGNORED } from "../core/react/index.ts";
import { initialMessage } from "../core/workflow/index.ts";
import type { Engine } from "../engine/index.ts";
import type { Answer } from "./happening.ts";

export interface CommandPlace {
  readonly engine: Engine;
  readonly session: string;
  readonly startWorkflow: (order: Order & { type: "workflow" }) => Promise<StartWorkflow>;
}

/** Does what you said to tildone. The prompt ends here, with our answer; only a workflow goes to the agent. */
export async function carryOut(order: Order, { engine, session, startWorkflow }: CommandPlace): Promise<Answer> {
  switch (order.type) {
    case "list":
      return heard(listText(engine.run(session)));
    case "status":
      return heard(statusText(engine.run(session)));
    case "workflow": {
      const start = await startWorkflow(order);
      if (!start.ok) return heard(start.message);
      await engine.tell(session, { type: "human.spoke" });
      const reply = await engine.tell(session, start.trigger);
      const state = engine.run(session)?.plan.workflow;
      if (reply.type === "done" && state) return { type: "tell", context: initialMessage(state) };
      if (reply.type === "refused") return heard(reply.refusal.message);
      return heard(reply.type === "ignored" ? IGNORED[reply.why] : "The workflow did not start.");
    }
    default: {
      const reply = await engine.tell(session, triggerOf(order, newId));
      return heard(answerTo(order, reply, engine.run(session), PLACE).text);
    }
  }
}

/** The global one is loaded when it is needed, and most hooks never need it. */
const newId = (): string => crypto.randomUUID();

/** A hook begins no turn of its own. */
const PLACE: Place = { prefix: "tildone ", starts: false };

const heard = (reason: string): Answer => ({ type: "deny", reason });
