import type { Reply, Trigger } from "../../core/react/index.ts";
import type { Run } from "../../core/run/index.ts";
import { oneLine } from "../../core/text/index.ts";
import { blockedTexts, itemsOf } from "./translate.ts";

interface Session {
  readonly tell: (trigger: Trigger) => Promise<Reply>;
  readonly run: () => Run | undefined;
}

/** OpenCode's own list becomes ours. It has no word for blocked, but lets the word pass: that is an edit of its own. */
export async function mirrorNativeList(todos: unknown, { tell, run }: Session): Promise<void> {
  await tell({ type: "todos.mirror", items: itemsOf(todos), by: "model" });
  const blocked = blockedTexts(todos).map(oneLine);
  const indices = (run()?.plan.todos ?? []).flatMap(({ text, status }, index) =>
    blocked.includes(text) && status !== "blocked" ? [index] : [],
  );
  const reason = "blocked in the host's own list";
  if (indices.length > 0) await tell({ type: "todos.edit", edit: { action: "block", indices, reason }, by: "model" });
}
