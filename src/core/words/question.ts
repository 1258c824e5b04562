/**
 * Whether the agent's last words ask the human something that only a human can answer. "Shall I go on?" is no question:
 * the answer is the list.
 */
export function asksQuestion(text: string): boolean {
  const last = lastSentence(text);
  return /[?？]["')\]*_`\s]*$/u.test(last) && !PERMISSION.test(last);
}

const PERMISSION =
  /\b(shall|should|may|can|do you want me to|would you like me to|want me to|ready (for me )?to|is it (ok|okay|alright) (if i|to)|ok(ay)? to)\b.{0,80}\b(go on|go ahead|continue|proceed|carry on|keep going|move on|start|begin|do (that|this|it|so)|next|work on|tackle)\b|^\W*(continue|proceed|go on|next|ready)\W*$/iu;

function lastSentence(text: string): string {
  const trimmed = text.trimEnd();
  const line = trimmed.slice(trimmed.lastIndexOf("\n") + 1);
  const sentences = line.match(/[^.!?。！？]+[.!?。！？]*["')\]*_`\s]*$/u);
  return (sentences?.[0] ?? line).slice(-400);
}
