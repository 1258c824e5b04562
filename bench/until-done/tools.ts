import type { Call, PersonaCall } from "../../src/testing/index.ts";

export interface OwnItem {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled";
}

const AFTER = { start: "in_progress", complete: "completed", abandon: "cancelled", block: "pending" } as const;

/**
 * A host alone has a list of its own, written as a whole: the persona keeps that one. `toolOf` says how the host spells it.
 */
export function ownList(toolOf: (items: readonly OwnItem[]) => Call): (call: PersonaCall) => Call | undefined {
  let items: readonly OwnItem[] = [];
  return (call) => {
    if (call.tool === "write_todos") {
      const { mode, todos } = call.input as { mode: string; todos: readonly { text: string }[] };
      const news = todos.map(({ text }): OwnItem => ({ text, status: "pending" }));
      items = mode === "append" ? [...items, ...news] : news;
      return toolOf(items);
    }
    if (call.tool === "edit_todos") {
      const { action, indices } = call.input as { action: keyof typeof AFTER; indices: readonly number[] };
      items = items.map((item, at) => (indices.includes(at) ? { ...item, status: AFTER[action] } : item));
      return toolOf(items);
    }
    return undefined;
  };
}
