import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Capabilities } from "../../engine/index.ts";

export type Mode = ExtensionContext["mode"];

const SEES = {
  abort: true,
  failure: true,
  typing: false,
  background: false,
  usage: true,
  mode: false,
  question: true,
  calls: true,
} as const satisfies Capabilities["sees"];

const BRAKE = { at: "answer", ends: true } as const satisfies Capabilities["brake"];

const FOR_EVER = Number.POSITIVE_INFINITY;

/**
 * What pi can do, by mode. The terminal counts down inside the boundary and lets go for longer waits; rpc never holds
 * it, because an abort of the client would hang; print and json have nothing after the boundary and wait inside it (only a command
 * starts a turn there, and stays until it is over).
 */
export const CAPABILITIES = {
  tui: {
    boundary: "held",
    holds: { countdownMs: FOR_EVER, waitMs: 0 },
    resident: true,
    startsTurns: true,
    renews: "anytime",
    brake: BRAKE,
    sees: { ...SEES, typing: true },
  },
  rpc: {
    boundary: "held",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: true,
    startsTurns: true,
    renews: "anytime",
    brake: BRAKE,
    sees: SEES,
  },
  json: {
    boundary: "held",
    holds: { countdownMs: FOR_EVER, waitMs: FOR_EVER },
    resident: true,
    startsTurns: true,
    renews: "anytime",
    brake: BRAKE,
    sees: SEES,
  },
  print: {
    boundary: "held",
    holds: { countdownMs: FOR_EVER, waitMs: FOR_EVER },
    resident: true,
    startsTurns: true,
    renews: "anytime",
    brake: BRAKE,
    sees: SEES,
  },
} as const satisfies Record<Mode, Capabilities>;

export const capabilitiesOf = (mode: Mode): Capabilities => CAPABILITIES[mode];
