import { countProof, countText } from "../../../core/proof/index.ts";
import { budgetUse, countedTokens, type Run, type RunEvent } from "../../../core/run/index.ts";
import { decisionText } from "../../../core/words/index.ts";
import type { Stored } from "../../../engine/index.ts";
import type { BoundSession } from "../bound-session.ts";
import { clearRun } from "./clear-run.ts";
import { info, type SessionCommand, saidOf, warning } from "./command.ts";

const DECISIONS = 5;
/** Enough of the log to hold the last decisions of a busy run. */
const LOOK_BACK = 500;

export const tildone: SessionCommand = {
  name: "tildone",
  description: "How the run stands, its last decisions and the settings; or: on, off, accept, clear",
  words: ["on", "off", "accept", "clear"],
  run: async (args, session) => {
    switch (args) {
      case "":
        return info(report(session));
      case "on":
      case "off":
        return saidOf(
          await session.tell({ type: "continuation.switch", on: args === "on" }),
          `Continuation is ${args} for this run.`,
        );
      case "accept":
        return saidOf(await session.tell({ type: "human.accept" }), "Accepted as done.");
      case "clear":
        return clearRun(session);
      default:
        return warning(`There is no "/tildone ${args}": on, off, accept or clear.`);
    }
  },
};

function report(session: BoundSession): string {
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
    `Run ${run.id}: ${session.describe()}`,
    spent(run),
    "Last decisions:",
    ...lastDecisions(store.log.read(run.id, after).events),
    `Settings: ${settings.join("; ")}.`,
  ].join("\n");
}

function spent(run: Run): string {
  const limits = budgetUse(run.ledger).map(({ name, limit }) => `${name} ${limit}`);
  const { spent: used } = run.ledger;
  return `${countText(countProof(run))}, ${used.continuations} continuations, ${countedTokens(used)} tokens${limits.length === 0 ? "" : ` (limits: ${limits.join(", ")})`}`;
}

function lastDecisions(events: readonly Stored[]): readonly string[] {
  const decisions = events.flatMap(({ at, event }) => {
    const known = event as RunEvent;
    return known.type === "decision.made" ? [{ at, decision: known.decision }] : [];
  });
  if (decisions.length === 0) return ["  none yet"];
  return decisions
    .slice(-DECISIONS)
    .map(
      ({ at, decision }) => `  ${new Date(at).toISOString().slice(11, 19)} ${decision.rule}: ${decisionText(decision)}`,
    );
}
