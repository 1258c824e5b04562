import { supervised } from "../../src/agent/supervisor/capabilities.ts";
import type { Capabilities } from "../../src/engine/index.ts";
import { CAPABILITIES as HOOK } from "../../src/hooks/capabilities.ts";
import { CAPABILITIES as LIBRARY } from "../../src/hosts/library/capabilities.ts";
import { CAPABILITIES as MCP } from "../../src/hosts/mcp/capabilities.ts";
import { CAPABILITIES as OPENCODE } from "../../src/hosts/opencode/capabilities.ts";
import { CAPABILITIES as PI } from "../../src/hosts/pi/capabilities.ts";

/** A kind of host: what it can do, by its own row, and how its events come. */
export interface Profile {
  readonly capabilities: Capabilities;
  /** `hook`: every event is a new process that ends when it has answered, and no timer outlives it. */
  readonly process: "resident" | "hook";
  /** Turn events carry ids. Those without come once and in order: nothing could tell them apart. */
  readonly turnIds: boolean;
  /** Says when a turn begins; otherwise only its end is told. */
  readonly announcesTurns: boolean;
  /** A process that takes the run over may start turns by itself. */
  readonly goOn: boolean;
}

const RESIDENT = { process: "resident", turnIds: true, announcesTurns: true, goOn: false } as const;
const PASSING = { process: "hook", turnIds: false, announcesTurns: false, goOn: true } as const;

export const PROFILES = {
  terminal: { ...RESIDENT, capabilities: PI.tui },
  remote: { ...RESIDENT, capabilities: PI.rpc },
  json: { ...RESIDENT, goOn: true, capabilities: PI.json },
  print: { ...RESIDENT, goOn: true, capabilities: PI.print },
  /** Tells when it went idle, sometimes twice, sometimes late. */
  server: { ...RESIDENT, goOn: true, capabilities: OPENCODE.idle },
  /** A nudge is put into the running loop and taken back when a call follows. */
  loop: { ...RESIDENT, turnIds: false, announcesTurns: false, goOn: true, capabilities: OPENCODE.loop },
  library: { ...RESIDENT, turnIds: false, capabilities: LIBRARY.hook },
  "claude-code": { ...PASSING, capabilities: HOOK["claude-code"] },
  codex: { ...PASSING, capabilities: HOOK.codex },
  gemini: { ...PASSING, turnIds: true, announcesTurns: true, capabilities: HOOK.gemini },
  supervised: { ...RESIDENT, goOn: true, capabilities: supervised({ adapter: "resident" }) },
  "supervised hooks": { ...RESIDENT, goOn: true, capabilities: supervised({ adapter: "hook" }) },
  /** Tools only: the host has no boundary to speak at. */
  client: { ...RESIDENT, capabilities: MCP.client },
  /** The same beside hooks of ours, which tell of its boundaries. */
  hooked: { ...PASSING, capabilities: MCP.hooked },
  /** None of ours, but the engine must do right by them: one that sees and cannot act, and hooks that must answer at once. */
  watcher: { ...RESIDENT, capabilities: { ...OPENCODE.idle, startsTurns: false } },
  hasty: {
    ...PASSING,
    turnIds: true,
    announcesTurns: true,
    capabilities: { ...HOOK["claude-code"], holds: { countdownMs: 0, waitMs: 0 } },
  },
} as const satisfies Record<string, Profile>;

export type HostKind = keyof typeof PROFILES;
export const HOST_KINDS = Object.keys(PROFILES) as readonly HostKind[];

/** Can this host be sent on after its boundary has passed? */
export const startsLater = ({ capabilities }: Profile): boolean => capabilities.resident && capabilities.startsTurns;
