import type { Capabilities } from "../../engine/index.ts";
import type { Program } from "./program.ts";

/** Between two processes of a host the supervisor is there: waits have a timer, and a nudge is the prompt of the next process. */
export const supervised = ({ adapter, spend }: Pick<Program, "adapter" | "spend">): Capabilities => ({
  boundary: "edge",
  holds: { countdownMs: 0, waitMs: 0 },
  resident: true,
  startsTurns: true,
  renews: "nudge",
  brake: { at: "none", ends: false },
  sees: {
    abort: true,
    failure: true,
    typing: false,
    background: false,
    usage: adapter === "resident" || (spend !== undefined && (spend.sees === "tokens" ? "tokens" : true)),
    mode: false,
    question: false,
    calls: true,
  },
});
