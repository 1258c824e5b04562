import { finish, next } from "../continuation/index.ts";
import { STOP } from "../reason/index.ts";
import type { Run } from "../run/index.ts";
import { listOf } from "../view/index.ts";
import { nudgeText } from "./nudge.ts";
import { countLine } from "./quote.ts";

/**
 * What follows a tool result on a host that has no boundary to speak at: what comes next, or that the user said stop. How much
 * is open stands in the result.
 */
export function openWorkText(run: Run): string {
  const { held, interrupt } = run.ledger;
  if (held || interrupt) return "On hold by the user. Stop working, say what is open, and wait.";
  const found = next(run);
  const { count } = listOf(run);
  if (found.status === "stuck") return `${countLine(count)}, none of them free. Tell the user what each waits for.`;
  if (found.status === "none") return count.total === 0 ? "" : `Nothing is open. ${STOP[finish(run).reason].says}`;
  const lines = nudgeText(run, found.step.type).split("\n");
  return found.step.type === "todo" ? lines.at(-1)! : lines.join("\n");
}
