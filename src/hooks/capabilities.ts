import type { Capabilities } from "../engine/index.ts";
import type { HostName } from "./dialect.ts";

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

/** A process lives for one event: it answers at the boundary, and sleeps there only as long as the host lets it. */
const HOOK = {
  boundary: "held",
  holds: { countdownMs: HOLD_MS, waitMs: HOLD_MS },
  resident: false,
  startsTurns: false,
  brake: { at: "tool", ends: false },
  sees: SEES,
} as const satisfies Capabilities;

/** Codex ends no turn for a hook: its calls are refused, and only a supervisor ends it. */
const ENDS = { at: "tool", ends: true } as const satisfies Capabilities["brake"];

export const CAPABILITIES = {
  "claude-code": { ...HOOK, brake: ENDS, sees: { ...SEES, failure: true, background: true, mode: true } },
  codex: { ...HOOK, sees: { ...SEES, mode: true } },
  gemini: { ...HOOK, brake: ENDS },
} as const satisfies Record<HostName, Capabilities>;
