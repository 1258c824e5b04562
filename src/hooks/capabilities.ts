import type { Capabilities } from "../engine/index.ts";

/** How long the stop hook may take; the installer writes it, in each host's own unit. */
export const STOP_TIMEOUT_MS = 60_000;
/** What is left of it for us: starting and writing take time too, and a hook that is late says nothing at all. */
const HOLD_MS = 50_000;

const SEES = {
  abort: true, // Gemini tells of it, the others write it down, and the server of the session looks
  failure: false,
  typing: false,
  background: false,
  usage: false,
  mode: false,
  question: false,
  calls: true,
} as const satisfies Capabilities["sees"];

/**
 * A process lives for one event: it answers at the boundary, and sleeps there only as long as the host lets it. `ends`: an answer of
 * a hook can end the turn; else calls are refused, and only a supervisor ends it.
 */
export const hookCapabilities = (ends: boolean, sees: Partial<Capabilities["sees"]> = {}): Capabilities => ({
  boundary: "held",
  holds: { countdownMs: HOLD_MS, waitMs: HOLD_MS },
  resident: false,
  startsTurns: false,
  renews: "never",
  brake: { at: "tool", ends },
  sees: { ...SEES, ...sees },
});
