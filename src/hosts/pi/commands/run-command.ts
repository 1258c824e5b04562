import { randomUUID } from "node:crypto";
import {
  answerTo,
  COMMANDS,
  type CommandName,
  info,
  type Place,
  readOrder,
  triggerOf,
  warning,
} from "../../../core/command/index.ts";
import { plainList } from "../../../core/todo/index.ts";
import { showTodos } from "../todos-view.ts";
import type { SessionCommand } from "./command.ts";
import { runReport } from "./run-report.ts";
import { completeWorkflow, startWorkflow } from "./workflow.ts";

const PLACE: Place = { prefix: "/", starts: true };

/** A command of the run as a command of pi: what it means and answers is the core's, the list and the questions are pi's. */
export function runCommand(name: CommandName): SessionCommand {
  const row: { readonly says: string; readonly words?: readonly string[] } = COMMANDS[name];
  return {
    name,
    description: row.says,
    ...(row.words && { words: row.words }),
    ...(name === "workflow" && { complete: completeWorkflow }),
    run: async (args, session, ctx) => {
      const read = readOrder(name, args);
      if (read.status === "unclear") return warning(read.message);
      const { order } = read;
      switch (order.type) {
        case "list":
          if (ctx.mode !== "tui") return info(plainList(session.list.view().todos));
          await showTodos(ctx, session);
          return undefined;
        case "status":
          return info(runReport(session));
        case "workflow":
          return startWorkflow(order, session, ctx);
        default: {
          const reply = await session.tell(triggerOf(order, randomUUID));
          if (order.type === "cancel-workflow" && reply.type === "done") return undefined; // the notice says it
          // The list of the session goes with it; the log keeps both.
          if (order.type === "clear")
            await session.tell({ type: "todos.write", write: { mode: "replace", todos: [] }, by: "human" });
          return answerTo(order, reply, session.run(), PLACE);
        }
      }
    },
  };
}
