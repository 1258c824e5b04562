import type { CutCall, Effect } from "../call/index.ts";
import { clipLine } from "../text/index.ts";

/** A call whose result was lost with its process, for the human and for the agent: neither can know better. */
export const cutCallText = ({ tool, what, effect }: CutCall): string =>
  `cut off: ${tool} "${clipLine(what, 200)}" ${SAYS[effect]}`;

const SAYS = {
  none: "did not begin",
  done: "did run; only its result was lost",
  failed: "ran and failed; its result was lost",
  unknown: "may or may not have run",
} as const satisfies Record<Effect, string>;

/** Said with the next nudge; what the calls were is data. */
export function cutCallsText(calls: readonly CutCall[]): string {
  if (calls.length === 0) return "";
  const shown = calls.slice(-SHOWN).map((call) => `> ${cutCallText(call)}`);
  const more = calls.length > SHOWN ? [`> (${calls.length - SHOWN} more)`] : [];
  return [HOW, ...shown, ...more].join("\n");
}

const SHOWN = 10;
const HOW = "The process ended in the middle of these calls. Look at what they did before you repeat any of them:";
