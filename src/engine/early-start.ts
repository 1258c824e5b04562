import type { Reply, Trigger } from "../core/react/index.ts";
import type { EditCommand } from "../core/todo/index.ts";
import { earlyStartText } from "../core/words/index.ts";

type Tell = (trigger: Trigger) => Promise<Reply>;

/**
 * An agent writes its list and starts a todo of it in one answer, and the calls may come in either order. A start that
 * comes before there is a list waits for the write that follows it; any other call to the list forgets it.
 */
export function withEarlyStart(tell: Tell): Tell {
  let early: EditCommand | undefined;
  return async (trigger) => {
    if (trigger.type !== "todos.edit" && trigger.type !== "todos.write") return tell(trigger);
    const waiting = early;
    early = undefined;
    const reply = await tell(trigger);
    if (trigger.type === "todos.edit") {
      if (trigger.by !== "model" || trigger.edit.action !== "start" || !hasNoList(reply)) return reply;
      early = trigger.edit;
      return { type: "done", text: earlyStartText(trigger.edit.indices) };
    }
    if (waiting === undefined || trigger.by !== "model" || reply.type !== "done") return reply;
    const started = await tell({ type: "todos.edit", edit: waiting, by: "model" });
    return started.type === "done" ? { ...reply, text: `${reply.text}\n\n${started.text}` } : reply;
  };
}

const hasNoList = (reply: Reply): boolean =>
  reply.type === "ignored"
    ? reply.why === "no_run" || reply.why === "run_ended"
    : reply.type === "refused" && reply.refusal.code === "list_empty";
