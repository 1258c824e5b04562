import type { Capabilities } from "../../engine/index.ts";

/** A program that says when a session went idle and starts turns for us. It tells of messages and calls, not of cost. */
export const CAPABILITIES = {
  hook: {
    boundary: "edge",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: true,
    startsTurns: true,
    renews: "never",
    brake: { at: "tool", ends: false },
    sees: {
      abort: true,
      failure: true,
      typing: false,
      background: true,
      usage: false,
      mode: true,
      question: false,
      calls: true,
    },
  },
} as const satisfies Record<string, Capabilities>;
