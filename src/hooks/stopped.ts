import { awaitedCommands } from "../core/continuation/index.ts";
import type { Nudge } from "../core/react/index.ts";
import { type Ledger, type Run, readFailure, type StoredDecision } from "../core/run/index.ts";
import { inMode } from "./calls-ended.ts";
import type { Answer } from "./happening.ts";
import { verdictText } from "./notice-text.ts";
import { bounded, fitting, wordsText } from "./own-words.ts";
import { carriedIn, heardOf } from "./prompted.ts";
import type { Respondent, Spoken } from "./respond.ts";
import { SERVER_GONE, serverNotice } from "./server-state.ts";

type Stopped = Spoken & { type: "stopped" };

/** The agent settles: it is told to continue, given your messages, or left alone. */
export async function stopped(happening: Stopped, before: Run, respondent: Respondent): Promise<Answer | undefined> {
  const { engine, session } = respondent;
  await inMode(happening.readOnly, respondent);
  if (happening.background) await inBackground(happening.background, before, respondent);
  const settled = await engine.settle(session, await endOfTurn(happening, before, respondent));
  if (settled.type === "nudge") return nudged(settled.nudge, respondent);
  if (isNewWait(before, engine.run(session))) shows(respondent);
  if (settled.type === "settled") {
    if (isStuck(settled.decision)) tellsOfServer(respondent);
    return undefined;
  }
  const words = fitting(settled.words);
  return { ...goOn(wordsText(words)), carries: carriedIn(before, words) };
}

async function endOfTurn({ text, end, turn, failure }: Stopped, before: Run, respondent: Respondent) {
  const { engine, session, now } = respondent;
  const ledger = engine.run(session)?.ledger ?? before.ledger;
  const isKnown = end !== undefined && before.ledger.endedTurns.includes(end);
  return {
    type: "turn.ended",
    ...(failure === undefined
      ? ({ outcome: "completed" } as const)
      : ({ outcome: "failed", failure: readFailure({ message: failure }, now()) } as const)),
    ...(text !== undefined && { text }),
    ...(end !== undefined && { end }),
    ...(isKnown ? {} : await heardOf(before, respondent)),
    ...(isUntold(turn, end, ledger) && { turn }),
  } as const;
}

async function nudged(
  { id, text, fresh }: Pick<Nudge, "id" | "text" | "fresh">,
  respondent: Respondent,
): Promise<Answer> {
  const { engine, session, dialect, server } = respondent;
  // Most hosts say nothing when the turn begins: our answer is its beginning.
  if (!dialect.announcesTurns)
    await engine.tell(session, { type: "turn.started", turn: `after-${id}`, cause: "nudge" });
  if (dialect.hidesNudges) shows(respondent);
  tellsOfServer(respondent);
  return { ...goOn(server ? `${text}\n\n${SERVER_GONE}` : text), ...(fresh && { fresh }) };
}

async function inBackground(
  { agents, commands }: NonNullable<Stopped["background"]>,
  run: Run,
  { engine, session }: Respondent,
): Promise<void> {
  const now = { agents, awaited: awaitedCommands(run, commands).length, commands: commands.length };
  if (!isSameWork(now, run.ledger.background)) await engine.tell(session, { type: "background.changed", ...now });
}

const isSameWork = (a: Ledger["background"] | Work, b: Ledger["background"]): boolean =>
  a.agents === b.agents && a.awaited === b.awaited && (a.commands ?? 0) === (b.commands ?? 0);
type Work = Omit<Ledger["background"], "until">;

function shows({ engine, host, session }: Respondent): void {
  const run = engine.run(session);
  const text = run && verdictText(run);
  if (text !== undefined) host.show(session, { type: "text", text: text.replace(/^tildone: /, "") });
}

function tellsOfServer({ server, dialect, host, session }: Respondent): void {
  if (server) host.show(session, { type: "text", text: serverNotice(server, dialect, session) });
}

/** It was given up, and not by you. */
const isStuck = (decision: StoredDecision | undefined): boolean =>
  decision?.type === "stop" && (decision.reason === "no_progress" || decision.reason === "no_todos");

/** It waits, and that was not said yet: the host looks as if it were done. */
function isNewWait({ ledger: { decision: before } }: Run, after: Run | undefined): boolean {
  const decision = after?.ledger.decision;
  if (decision?.type !== "wait" || decision.reason === "human") return false;
  return before?.type !== "wait" || before.reason !== decision.reason;
}

/**
 * A turn whose beginning was not told: its prompt hook failed, or there was no run yet. A run at the boundary before it
 * still waits for it in vain.
 */
function isUntold(turn: string | undefined, end: string | undefined, ledger: Ledger): turn is string {
  const { boundary, nudge, endedTurns } = ledger;
  if (turn === undefined || ledger.turn || nudge || endedTurns.includes(turn)) return false;
  if ((end !== undefined && endedTurns.includes(end)) || isBraked(boundary)) return false;
  return boundary === undefined || boundary.status === "parked" || boundary.status === "stopped";
}

/** What ended the turn still stands: another end of it is no new turn. */
const isBraked = (boundary: Ledger["boundary"]): boolean =>
  boundary?.braked !== undefined && boundary.braked.lifted !== true;

const goOn = (reason: string) => ({ type: "go_on", reason: bounded(reason) }) as const;
