import { supervised } from "../../src/agent/supervisor/capabilities.ts";
import { HOOK_HOSTS, type HookHostName } from "../../src/config/index.ts";
import type { Capabilities } from "../../src/engine/index.ts";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";
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
  /** Can be asked how the session stands before something leaves. */
  readonly rechecks?: true;
}

const RESIDENT = { process: "resident", turnIds: true, announcesTurns: true, goOn: false } as const;
const PASSING = { process: "hook", turnIds: false, announcesTurns: false, goOn: true } as const;

const HOOKS = Object.fromEntries(
  HOOK_HOSTS.map((name): [HookHostName, Profile] => {
    const { capabilities, announcesTurns } = HOOK_PROFILES[name].hook.dialect;
    return [name, { ...PASSING, turnIds: announcesTurns, announcesTurns, capabilities }];
  }),
) as Readonly<Record<HookHostName, Profile>>;

export const PROFILES = {
  terminal: { ...RESIDENT, capabilities: PI.tui },
  remote: { ...RESIDENT, capabilities: PI.rpc },
  json: { ...RESIDENT, goOn: true, capabilities: PI.json },
  print: { ...RESIDENT, goOn: true, capabilities: PI.print },
  /** Tells when it went idle, sometimes twice, sometimes late. */
  server: { ...RESIDENT, goOn: true, rechecks: true, capabilities: OPENCODE.idle },
  /** A nudge is put into the running loop and taken back when a call follows. */
  loop: { ...RESIDENT, turnIds: false, announcesTurns: false, goOn: true, capabilities: OPENCODE.loop },
  library: { ...RESIDENT, turnIds: false, rechecks: true, capabilities: LIBRARY.hook },
  ...HOOKS,
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
    capabilities: { ...HOOKS["claude-code"].capabilities, holds: { countdownMs: 0, waitMs: 0 } },
  },
} as const satisfies Record<string, Profile>;

export type HostKind = keyof typeof PROFILES;
export const HOST_KINDS = Object.keys(PROFILES) as readonly HostKind[];

/** Can this host be told to continue after its boundary has passed? */
export const startsLater = ({ capabilities }: Profile): boolean => capabilities.resident && capabilities.startsTurns;
