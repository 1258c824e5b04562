import { broken, type Violation } from "./judge-event.ts";

/** Twenty lines of two hundred characters, a goal, requirements and notes, the ends of two failed checks, and fixed sentences. */
const MOST = 12_000;

/** Text of others reaches the model as bounded data: it cannot end the nudge's own line of instruction, nor add one. */
export function judgeNudgeText(text: string): Violation | undefined {
  if (text.length > MOST) return broken("9 bounded", `a nudge of ${text.length} characters`);
  const instructions = text.split(/\r|\n|\u2028|\u2029/u).filter((line) => line.startsWith("Next action:"));
  if (instructions.length > 1) return broken("9 quoted", `a nudge with ${instructions.length} next actions`);
  if (/\p{Cc}/u.test(text.replaceAll("\n", ""))) return broken("9 quoted", "a nudge with control characters");
  return undefined;
}
