import { isNudgeUntaken } from "../core/run/index.ts";
import { openRun } from "./open-run.ts";
import type { Store } from "./ports.ts";
import { speak } from "./speak.ts";

/** A session that a supervisor's process began, and the one whose run it was started to continue. */
export interface Continued {
  readonly host: string;
  readonly session: string;
  readonly before: string;
}

/**
 * A host that names its sessions itself tells the supervisor of a new one when its agent is already at work. The process that
 * first meets that session inside the host binds the run to it, or the briefing would reach an agent without a run. Only a run
 * whose briefing is on its way moves like that: a variable that stayed in an environment moves nothing.
 */
export function bindContinued({ log, runs }: Store, { host, session, before }: Continued, now: number): void {
  if (runs.find(host, session) || before === session) return;
  const card = runs.find(host, before);
  if (card?.live !== true || card.host !== host || card.session !== before) return;
  const { ledger } = openRun(log, card.run).run;
  if (ledger.nudge?.fresh === undefined || !isNudgeUntaken(ledger)) return;
  speak(log, card.run, { type: "run.bind", host, session, continues: true }, now);
}
