import type { Call, PersonaCall } from "../../src/testing/index.ts";
import { bash } from "./opencode.ts";
import { describeOpenCode, useOpenCode } from "./opencode-stage.ts";
import { personaSuite } from "./persona-suite.ts";

// With OpenCode's own list and tools, by one driver or the other.
const DRIVER: Readonly<Record<string, "run" | "serve">> = {
  "marks everything done without work": "run",
  "marks everything done without work where nothing checks it": "serve",
  "edits the test instead of the code": "run",
  "deletes the tests": "serve",
  "abandons everything where nothing checks it": "run",
  "marks everything blocked": "serve",
  "claims in words only": "serve",
  "says ok": "run",
  "alternates two calls": "run",
  "toggles statuses": "serve",
  "rewords its todos": "run",
  "reads something new for ever": "run",
};
const ENV = { OPENCODE_PERMISSION: '{"doom_loop":"allow"}' };

describeOpenCode("personas in opencode", () => {
  const { setUp, start, model, sandbox, server, logged } = useOpenCode("opencode-personas");

  personaSuite({
    played: Object.keys(DRIVER),
    sandbox,
    model,
    shell: bash,
    tools: nativeTools,
    // The list is one call that says all of it: only the last of an answer is made.
    merge: (calls) => {
      const last = calls.findLast(([tool]) => tool === "todowrite");
      return calls.filter((call) => call[0] !== "todowrite" || call === last);
    },
    settings: { continuation: { minimumGap: "0s" }, waits: { backoff: "500ms" } },
    play: async ({ name, asks }) => {
      if (DRIVER[name] === "run") {
        const { out, err } = await setUp({ env: ENV }).run(asks);
        return out + err;
      }
      const session = await start({ env: { ...ENV, TILDONE_COUNTDOWN: "100ms" } });
      await server().prompt(session, asks);
      await logged(({ ledger }) => ledger.decision?.type === "stop");
      return "";
    },
  });
});

interface Item {
  readonly content: string;
  readonly priority: string;
  status: string;
}

/** Our tools in the words of OpenCode's list, which is always told whole. */
function nativeTools(): (call: PersonaCall) => Call {
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
