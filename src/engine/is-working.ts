import { type RunSummary, summaryOf } from "./card.ts";
import type { Driver, RunCard } from "./ports.ts";

/** A turn of which nothing was heard for longer is not believed to continue. */
const QUIET_MS = 30 * 60_000;

/**
 * Whether something may still happen in the run by itself: a living process drives it, or a turn began, has not ended and
 * was heard of a short while ago. In doubt it works. An engine or a host that died took the turn with it; what only lived
 * beside the agent, a server or a supervisor, did not.
 */
export function isWorking(card: RunCard, drivers: readonly Driver[], now: number): boolean {
  if (!card.live) return false;
  if (livingDriver(card, drivers)) return true;
  if (isGone(card, drivers)) return false;
  return UNDER_WAY.has(summaryOf(card).state) && now - card.updated < QUIET_MS;
}

/** The process that drives the run and is alive. One that lost its claim to another drives nothing. */
export function livingDriver(card: RunCard, drivers: readonly Driver[]): Driver | undefined {
  return drivers.find((each) => each.isAlive && holdsClaim(card, each));
}

/** It stands at a wait, or at an answer that only a user can give, and may be woken. */
export function isWaiting(card: RunCard, drivers: readonly Driver[]): boolean {
  const { state, asks = 0 } = summaryOf(card);
  return card.live && (state === "wait" || asks > 0) && !isGone(card, drivers);
}

/** It stopped long ago and was not touched since: you do not mean it unless you name it. */
export function isAgedOut(card: RunCard, drivers: readonly Driver[], now: number, ageOutMs: number): boolean {
  return card.live && now - card.updated > ageOutMs && !livingDriver(card, drivers);
}

const UNDER_WAY: ReadonlySet<RunSummary["state"]> = new Set(["working", "continue"]);

/** The engine that drove it, or the host that it lived in, is known to be dead, and the agent with it. */
export function isGone(card: RunCard, drivers: readonly Driver[]): boolean {
  const own = drivers.filter((each) => holdsClaim(card, each));
  if (own.some(({ isAlive }) => isAlive)) return false;
  if (own.some(({ isHostGone }) => isHostGone)) return true;
  return own.length > 0 && own.every(({ kind }) => kind === "engine");
}

function holdsClaim(card: RunCard, { driver }: Driver): boolean {
  const claimed = summaryOf(card).driver;
  return claimed === undefined || claimed === driver;
}
