import { statusText } from "../../../core/command/index.ts";
import { decisionText, type Envelope } from "../../../core/run/index.ts";
import type { BoundSession } from "../bound-session.ts";

const DECISIONS = 5;
/** Enough of the log to hold the last decisions of a busy run. */
const LOOK_BACK = 500;

/** How the run stands, its last decisions, and the settings that decide. */
export function runReport(session: BoundSession): string {
  const { config, store } = session.tildone;
  const run = session.run();
  const { limits } = config;
  const settings = [
    `countdown ${limits.countdownMs / 1000} s`,
    `stops after ${limits.idleTurns} idle, ${limits.stillTurns} without a change, ${limits.nudgedTurns} without progress`,
    ...(config.off === undefined ? [] : [`off: ${config.off}`]),
  ];
  if (!run) return `No run in this session yet.\nSettings: ${settings.join("; ")}.`;
  const after = Math.max(0, store.log.last(run.id) - LOOK_BACK);
  return [
    statusText(run),
    "Last decisions:",
    ...lastDecisions(store.log.read(run.id, after).events),
    `Settings: ${settings.join("; ")}.`,
  ].join("\n");
}

function lastDecisions(events: readonly Envelope[]): readonly string[] {
  const decisions = events.flatMap(({ at, event }) => {
    return event.type === "decision.made" ? [{ at, decision: event.decision }] : [];
  });
  if (decisions.length === 0) return ["  none yet"];
  return decisions
    .slice(-DECISIONS)
    .map(
      ({ at, decision }) => `  ${new Date(at).toISOString().slice(11, 19)} ${decision.rule}: ${decisionText(decision)}`,
    );
}
