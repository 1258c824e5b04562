import type { Capabilities } from "../../engine/index.ts";

const SEES = {
  abort: true,
  failure: true,
  typing: false,
  background: true,
  usage: true,
  mode: true,
  question: true,
  calls: true,
} as const satisfies Capabilities["sees"];

const BRAKE = { at: "answer", ends: true } as const satisfies Capabilities["brake"];

const FOR_EVER = Number.POSITIVE_INFINITY;

/**
 * What OpenCode can do, by driver. `idle`: a server that says when a session went idle (serve, the TUI). `loop`: `opencode run`, which
 * ends at its first idle; a message that lies in the loop when a text is over makes it go on, and waits there hold it up.
 */
export const CAPABILITIES = {
  idle: {
    boundary: "edge",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: true,
    startsTurns: true,
    renews: "never",
    brake: BRAKE,
    sees: SEES,
  },
  loop: {
    boundary: "provisional",
    holds: { countdownMs: FOR_EVER, waitMs: FOR_EVER },
    resident: true,
    startsTurns: false,
    renews: "never",
    brake: BRAKE,
    sees: { ...SEES, question: false },
  },
} as const satisfies Record<string, Capabilities>;

export type Driver = keyof typeof CAPABILITIES;
