import type { Limits } from "../core/continuation/index.ts";
import type { Budget } from "../core/run/index.ts";

/** What a host can do, as data: the engine maps decisions by it, and `decide` knows nothing of hosts. */
export interface Capabilities {
  /**
   * `held`: the host waits at the boundary until we answer. `edge`: it tells us that it went idle.
   * `provisional`: an answer may be withdrawn if a call follows. `none`: there is no boundary to speak at.
   */
  readonly boundary: "held" | "edge" | "provisional" | "none";
  /** How long a boundary may be held open. Zero: not at all. */
  readonly holds: { readonly countdownMs: number; readonly waitMs: number };
  /** A process lives between the turns and its timers fire. */
  readonly resident: boolean;
  /** It can start a turn by itself. */
  readonly startsTurns: boolean;
  /**
   * Where a new conversation can begin: between any two answers, with a nudge, only with a new process of the host (a supervisor starts
   * it), or nowhere.
   */
  readonly renews: "anytime" | "nudge" | "process" | "never";
  /**
   * Where a turn can be braked. `at`: what of a turn is seen: every model answer, only its tool calls, or neither. `ends`: whether the turn
   * can be ended; otherwise at most its calls are refused.
   */
  readonly brake: { readonly at: "answer" | "tool" | "none"; readonly ends: boolean };
  readonly sees: {
    readonly abort: boolean;
    readonly failure: boolean;
    readonly typing: boolean;
    readonly background: boolean;
    /** What turns use: all of it, or tokens and not what they cost. */
    readonly usage: boolean | "tokens";
    readonly mode: boolean;
    readonly question: boolean;
    readonly calls: boolean;
  };
}

/** Limits that mean nothing on this host, because it does not tell how much of them is used. */
export function unmeasurable({ boundary, sees }: Capabilities, budget: Budget): readonly (keyof Budget)[] {
  const asked = (Object.keys(budget) as (keyof Budget)[]).filter((name) => budget[name] !== undefined);
  if (boundary === "none") return asked;
  return asked.filter((name) => (name === "tokens" && !sees.usage) || (name === "cost" && sees.usage !== true));
}

/** Limits that this host keeps only in part, and what it does not keep of them. */
export function keptInPart(capabilities: Capabilities, budget: Budget): readonly (readonly [keyof Budget, string])[] {
  const { brake, resident } = capabilities;
  if (
    budget.minutes === undefined ||
    capabilities.boundary === "none" ||
    (resident && brake.at === "answer" && brake.ends)
  )
    return [];
  return [["minutes", brake.at === "none" ? ONLY_AT_ENDS : ONLY_AT_CALLS]];
}

const ONLY_AT_ENDS = "is checked only when the agent stops: a turn that does not end is not stopped here";
const ONLY_AT_CALLS =
  "is checked only when the agent stops or calls a tool: a model that sends nothing is not stopped here";

/** Limits that mean something here: where answers are not seen, a long tool looks like a silent model. */
export function limitsOn({ brake, renews }: Capabilities, given: Limits): Limits {
  const limits = renews === "never" ? { ...given, context: { ...given.context, can: false } } : given;
  if (brake.at === "answer") return limits;
  const forEver = Number.POSITIVE_INFINITY;
  return { ...limits, brake: { ...limits.brake, silenceMs: forEver, answerMs: forEver } };
}

/** How a countdown or a wait is carried to its end. */
export type Carriage =
  | { readonly by: "holding" }
  | { readonly by: "timer" }
  | { readonly by: "nobody"; readonly waker: string };

export const WAKER = "the next event of this session, a supervisor, or you";

/** Every wait ends or is parked; a parked one says who wakes it. */
export function carriageOf(
  { boundary, holds, resident, startsTurns }: Capabilities,
  wait: { readonly kind: "countdown" | "wait"; readonly forMs: number; readonly isHeld: boolean },
): Carriage {
  const most = wait.kind === "countdown" ? holds.countdownMs : holds.waitMs;
  if (boundary !== "edge" && wait.isHeld && wait.forMs <= most) return { by: "holding" };
  if (resident && startsTurns) return { by: "timer" };
  return { by: "nobody", waker: WAKER };
}
