import type { Capabilities } from "../../src/engine/index.ts";

/** A kind of host: what it can do, and how its events come. */
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

const SEES = {
  abort: true,
  failure: true,
  typing: true,
  background: true,
  usage: true,
  mode: true,
  question: true,
  calls: true,
} as const;
const FOR_EVER = Number.POSITIVE_INFINITY;

export const PROFILES = {
  /** A terminal: a short countdown is held open, longer waits end by a timer. */
  terminal: profile({ boundary: "held", holds: { countdownMs: 10_000, waitMs: 0 }, startsTurns: true }, {}),
  /** Prints its answer: everything happens inside the boundary. */
  print: profile({ boundary: "held", holds: { countdownMs: FOR_EVER, waitMs: FOR_EVER } }, { goOn: true }),
  /** Remote control: a boundary, and no time to hold it. */
  remote: profile({ boundary: "held", startsTurns: true }, {}),
  /** Tells when it went idle, sometimes twice, sometimes late. */
  server: profile({ boundary: "edge", startsTurns: true }, { goOn: true }),
  /** The same without ids of turns. */
  library: profile({ boundary: "edge", startsTurns: true }, { turnIds: false }),
  /** A nudge is put into the running loop and taken back when a call follows. */
  loop: profile({ boundary: "provisional" }, { turnIds: false, announcesTurns: false, goOn: true }),
  /** Sees the session and cannot act. */
  watcher: profile({ boundary: "edge" }, {}),
  /** Hook processes that may sleep for a while. */
  hook: profile(
    { boundary: "held", holds: { countdownMs: 0, waitMs: 50_000 }, resident: false },
    { process: "hook", turnIds: false, announcesTurns: false, goOn: true },
  ),
  /** Hook processes that must answer at once. */
  hasty: profile({ boundary: "held", resident: false }, { process: "hook", goOn: true }),
  /** Tools only: the host has no boundary to speak at. */
  tools: profile({ boundary: "none", sees: { ...SEES, calls: false } }, {}),
} as const satisfies Record<string, Profile>;

export type HostKind = keyof typeof PROFILES;
export const HOST_KINDS = Object.keys(PROFILES) as readonly HostKind[];

/** Can this host be sent on after its boundary has passed? */
export const startsLater = ({ capabilities }: Profile): boolean => capabilities.resident && capabilities.startsTurns;

function profile(capabilities: Partial<Capabilities>, rest: Partial<Profile>): Profile {
  return {
    process: "resident",
    turnIds: true,
    announcesTurns: true,
    goOn: false,
    ...rest,
    capabilities: {
      boundary: "held",
      holds: { countdownMs: 0, waitMs: 0 },
      resident: true,
      startsTurns: false,
      brake: { at: "tool", ends: true },
      sees: SEES,
      ...capabilities,
    },
  };
}
