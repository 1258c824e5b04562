/**
 * Whether the agent's last words ask the human something that only a human can answer. "Shall I go on?" is no question:
 * the answer is the list. Choices listed below a question belong to it.
 */
export function asksQuestion(text: string): boolean {
  const last = lastSentence(text);
  return /[?？]["')\]*_`:\s]*$/u.test(last) && !PERMISSION.test(last);
}

const PERMISSION =
  /\b(shall|should|may|can|do you want me to|would you like me to|want me to|ready (for me )?to|is it (ok|okay|alright) (if i|to)|ok(ay)? to)\b.{0,80}\b(go on|go ahead|continue|proceed|carry on|keep going|move on|start|begin|do (that|this|it|so)|next|work on|tackle)\b|^\W*(continue|proceed|go on|next|ready)\W*$/iu;

const CHOICE = /^\s*([-*•–]|\(?[\p{L}\d]{1,2}[.):])\s/u;

/** Only the end is looked at: last words may be as long as a file. */
function lastSentence(text: string): string {
  const lines = text
    .slice(-4000)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const line = lines.findLast((candidate) => !CHOICE.test(candidate)) ?? lines.at(-1) ?? "";
  const end = line.trimEnd().slice(-400);
  const sentences = end.match(/[^.!?。！？]+[.!?。！？]*["')\]*_`:\s]*$/u);
  return sentences?.[0] ?? end;
}
