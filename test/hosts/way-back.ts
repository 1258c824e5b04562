import type { Call, ModelRequest, Step } from "../../src/testing/index.ts";
import { bash, isMain, todowrite } from "./opencode.ts";

/** These steps until the user interrupts; then talk, until it hears "continue with it": work, a stop, and after a nudge the end. */
export function wayBack(steps: readonly Step[]): (request: ModelRequest) => Step {
  const first = [...steps];
  const last: Step[] = [
    { calls: [bash("echo again > work.txt")] },
    { text: "stop" },
    { calls: [todowrite(1, 1)] },
    { text: "done" },
  ];
  return (request) => {
    if (!isMain(request)) return { text: "A title" };
    const isBack = request.messages.some(({ role, text }) => role === "user" && text.includes("go on with it"));
    return (isBack ? last : first).shift() ?? { text: "just talk" };
  };
}

/** An agent that works on while its root has ended its turn. */
export const BACKGROUND: Call = [
  "task",
  { description: "look", prompt: "#child look", subagent_type: "general", background: true },
];
