import type { ProposedCheck } from "../continuation/index.ts";
import { clipLine } from "../text/index.ts";

const NAMED = 3;

/** Said when the agent proposes checks that may not run yet: which, and how you let them run. */
export function proposedText(proposed: readonly ProposedCheck[]): string {
  const which = proposed.length === 1 ? "a check" : `${proposed.length} checks`;
  const they = proposed.length === 1 ? "It has not run and proves" : "They have not run and prove";
  return `The agent proposed ${which}: ${namedChecks(proposed)}. ${they} nothing yet. \`tildone accept --checks\` runs ${proposed.length === 1 ? "it" : "them"}.`;
}

/** `[0] npm test; [1] npm run lint`, the first few. */
export function namedChecks(proposed: readonly ProposedCheck[]): string {
  const named = proposed.slice(0, NAMED).map(({ index, command }) => `[${index}] ${clipLine(command, 100)}`);
  const more = proposed.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}
