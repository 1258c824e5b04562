import type { Call, PersonaCall } from "../../src/testing/index.ts";
import type { OwnItem } from "../../test/hosts/hosts.ts";
import type { Shown } from "./cell.ts";

const AFTER = { start: "in_progress", complete: "completed", abandon: "cancelled", block: "pending" } as const;

/** What a persona's calls are called on a system, and what that system's own list shows a person at the end. */
export interface Tools {
  readonly call: (call: PersonaCall) => Call;
  readonly list?: () => readonly OwnItem[];
}

export interface OwnList {
  /** The call as the host takes it; undefined: it has nothing to do with the list. */
  readonly call: (call: PersonaCall) => Call | undefined;
  readonly items: () => readonly OwnItem[];
}

/**
 * A host alone has a list of its own, written as a whole: the persona keeps that one. `toolOf` says how the host spells it.
 */
export function ownList(toolOf: (items: readonly OwnItem[]) => Call): OwnList {
  let items: readonly OwnItem[] = [];
  return { call: written, items: () => items };

  function written(call: PersonaCall): Call | undefined {
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
  }
}

/** What its own list says of the work. A process that failed is not done, whatever its list says; without a list the exit code speaks alone. */
export function shownBy(items: readonly OwnItem[], exit: number | null): Shown | undefined {
  if (items.length === 0) return undefined;
  const open = items.filter(({ status }) => status !== "completed" && status !== "cancelled").length;
  const ended = exit === null ? "killed" : `exit ${exit}`;
  const words = open > 0 ? `${ended}, ${open} of ${items.length} open` : ended;
  return { state: open === 0 && exit === 0 ? "done" : "not done", words };
}
