import { type CutCall, cutCallText } from "../call/index.ts";

/** Said with the next nudge; what the calls were is data. */
export function cutCallsText(calls: readonly CutCall[]): string {
  if (calls.length === 0) return "";
  const shown = calls.slice(-SHOWN).map((call) => `> ${cutCallText(call)}`);
  const more = calls.length > SHOWN ? [`> (${calls.length - SHOWN} more)`] : [];
  return [HOW, ...shown, ...more].join("\n");
}

const SHOWN = 10;
const HOW = "The process ended in the middle of these calls. Look at what they did before you repeat any of them:";
