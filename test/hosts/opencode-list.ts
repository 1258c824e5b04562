import type { Call, PersonaCall } from "../../src/testing/index.ts";

interface Item {
  readonly content: string;
  readonly priority: string;
  status: string;
}

/** Our tools in the words of OpenCode's list, which is always told whole. */
export function nativeTools(): (call: PersonaCall) => Call {
  let list: Item[] = [];
  const whole = (): Call => ["todowrite", { todos: list.map((item) => ({ ...item })) }];
  return ({ tool, input }) => {
    if (tool === "write_todos") {
      const { mode, todos } = input as { mode: string; todos: { text: string }[] };
      const items = todos.map(({ text }) => ({ content: text, priority: "medium", status: "pending" }));
      list = mode === "replace" ? items : [...list, ...items];
      return whole();
    }
    if (tool !== "edit_todos") return [tool, input];
    const { action, indices, reason } = input as { action: string; indices: number[]; reason?: string };
    if (action === "block") return ["block_todos", { indices, reason }];
    const status = { start: "in_progress", complete: "completed", abandon: "cancelled" }[action] ?? "pending";
    for (const index of indices) list[index]!.status = status;
    return whole();
  };
}

/** The list is one call that says all of it: only the last of an answer is made. */
export function lastList(calls: readonly Call[]): readonly Call[] {
  const last = calls.findLast(([tool]) => tool === "todowrite");
  return calls.filter((call) => call[0] !== "todowrite" || call === last);
}
