import type { Capabilities } from "../../engine/index.ts";

const CLIENT = {
  boundary: "none",
  holds: { countdownMs: 0, waitMs: 0 },
  resident: false,
  startsTurns: false,
  renews: "never",
  brake: { at: "none", ends: false },
  sees: {
    abort: false,
    failure: false,
    typing: false,
    background: false,
    usage: false,
    mode: false,
    question: false,
    calls: false,
  },
} as const satisfies Capabilities;

/**
 * An MCP client shows us its calls of our own tools and nothing else: there is no boundary to speak at. Beside our hooks the
 * calls of other tools are seen, by them, and so are its boundaries.
 */
export const CAPABILITIES = {
  client: CLIENT,
  hooked: { ...CLIENT, boundary: "held", brake: { at: "tool", ends: false }, sees: { ...CLIENT.sees, calls: true } },
} as const satisfies Record<string, Capabilities>;
