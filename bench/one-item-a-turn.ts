import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import type { Call } from "../src/testing/index.ts";

/** The work that benchmarks of pi and of the agent measure: a list of items, one of them finished in each turn. */
export const itemText = (at: number): string => `item ${at}: make the part with this number work and test it`;

export const listOf = (items: number): Call => [
  "write_todos",
  { mode: "replace", todos: Array.from({ length: items }, (_, at) => ({ text: itemText(at) })) },
];

/** What does the least for it in pi: tools of the same names that keep nothing, and a boundary that goes on so many times. */
export const goesOn =
  (times: number, words: { readonly tool: string; readonly nudge: string }): ExtensionFactory =>
  (pi) => {
    let left = times;
    for (const name of ["write_todos", "edit_todos"])
      pi.registerTool({
        name,
        label: name,
        description: name,
        parameters: { type: "object", properties: {} } as never,
        executionMode: "sequential",
        execute: async () => ({ content: [{ type: "text", text: words.tool }], details: {} }),
      });
    pi.on("agent_before_settle", ({ entries }) => {
      if (left-- <= 0) return undefined;
      const nudge = { type: "custom_message", customType: "go-on", content: words.nudge, display: true } as const;
      return { continue: true, entries: [...entries, nudge] };
    });
  };
