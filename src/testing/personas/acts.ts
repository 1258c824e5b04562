import type { PersonaCall, Step } from "./persona.ts";

/** One answer of the model that goes on: it calls these tools and is asked again with their results. */
export const acts = (...calls: readonly PersonaCall[]): Step => ({ calls });
/** One answer of the model that ends its turn. */
export const says = (say: string): Step => ({ say });

type Item = string | { readonly text: string; readonly [key: string]: unknown };

export const writeList = (...items: readonly Item[]): PersonaCall => write("replace", items);
export const append = (...items: readonly Item[]): PersonaCall => write("append", items);
const write = (mode: string, items: readonly Item[]): PersonaCall => ({
  tool: "write_todos",
  input: { mode, todos: items.map((item) => (typeof item === "string" ? { text: item } : item)) },
});

const edit =
  (action: string, reason?: string) =>
  (...indices: readonly number[]): PersonaCall => ({
    tool: "edit_todos",
    input: { action, indices, reason },
  });
export const start = edit("start");
export const complete = edit("complete");
export const abandon = edit("abandon", "it is not needed");
export const block = edit("block", "it cannot go on");

export const file = (path: string, content: string): PersonaCall => ({ tool: "write_file", input: { path, content } });
export const read = (path: string): PersonaCall => ({ tool: "read_file", input: { path } });
export const run = (command: string): PersonaCall => ({ tool: "run", input: { command } });
export const step = (action: "next" | "loop"): PersonaCall => ({ tool: "workflow_step", input: { action } });
