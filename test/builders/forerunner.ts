import type { Run } from "../../src/core/run/index.ts";
import { isFinished, plainLine } from "../../src/core/todo/index.ts";

/** The continuation message of the extension that came before the pi adapter, as it was documented. */
export function forerunnersWords({ plan }: Run): string {
  const open = plan.todos.flatMap((todo, at) => (isFinished(todo) ? [] : [plainLine(todo, at)]));
  const next = plan.todos.findIndex((todo) => !isFinished(todo));
  return `There are still incomplete todos. Continue working on the remaining todos.\n\nRemaining items:\n${open.join("\n")}\n\nNext action: edit_todos with action 'start' and indices [${next}]`;
}
