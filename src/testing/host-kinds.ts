import type { Capabilities } from "../engine/index.ts";

const EVERYTHING: Capabilities["sees"] = {
  abort: true,
  failure: true,
  typing: true,
  background: true,
  usage: true,
  mode: true,
  question: true,
  calls: true,
};
const ANSWERS = { at: "answer", ends: true } as const satisfies Capabilities["brake"];
const NOTHING = Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, false])) as Capabilities["sees"];
const FOREVER = Number.POSITIVE_INFINITY;

/** Every kind of host there is, by what it can do: what works on all of these works everywhere. */
export const HOST_KINDS = {
  /** One prompt and out: everything happens inside the boundary, waits included. */
  print: {
    boundary: "held",
    holds: { countdownMs: FOREVER, waitMs: FOREVER },
    resident: false,
    startsTurns: false,
    renews: "anytime",
    brake: ANSWERS,
    sees: EVERYTHING,
  },
  /** A terminal: the countdown is shown inside the boundary, longer waits are left to a timer. */
  terminal: {
    boundary: "held",
    holds: { countdownMs: FOREVER, waitMs: 0 },
    resident: true,
    startsTurns: true,
    renews: "anytime",
    brake: ANSWERS,
    sees: EVERYTHING,
  },
  /** Driven over a pipe: it never stays at a boundary. */
  rpc: {
    boundary: "held",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: true,
    startsTurns: true,
    renews: "anytime",
    brake: ANSWERS,
    sees: EVERYTHING,
  },
  /** A server that says when it went idle. */
  idle: {
    boundary: "edge",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: true,
    startsTurns: true,
    renews: "never",
    brake: ANSWERS,
    sees: EVERYTHING,
  },
  /** A loop that goes on if a message lies in it, and takes it out again when a call follows. */
  loop: {
    boundary: "provisional",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: true,
    startsTurns: false,
    renews: "never",
    brake: ANSWERS,
    sees: EVERYTHING,
  },
  /** A process per event: nothing lives in between. */
  hook: {
    boundary: "held",
    holds: { countdownMs: 0, waitMs: 30_000 },
    resident: false,
    startsTurns: false,
    renews: "nudge",
    brake: { at: "tool", ends: false },
    sees: { ...EVERYTHING, typing: false, usage: false },
  },
  /** Tools only: no event says when a turn ends. */
  tools: {
    boundary: "none",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: true,
    startsTurns: false,
    renews: "never",
    brake: { at: "none", ends: false },
    sees: NOTHING,
  },
} as const satisfies Record<string, Capabilities>;
/** A host whose capabilities are known. */
export type HostKind = keyof typeof HOST_KINDS;
