import type { Capabilities } from "../../engine/index.ts";

/** An MCP client shows us its calls of our own tools and nothing else: there is no boundary to speak at. */
export const CAPABILITIES = {
  client: {
    boundary: "none",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: false,
    startsTurns: false,
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
  },
} as const satisfies Record<string, Capabilities>;
