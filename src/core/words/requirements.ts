import { uncovered } from "../continuation/index.ts";
import type { Run } from "../run/index.ts";
import { clipLine } from "../text/index.ts";

const SHOWN = 20;
const CHARACTERS = 200;

/** The requirements that no todo covers yet, as data; nothing if there are none. */
export function uncoveredText(run: Run): string {
  const open = uncovered(run);
  if (open.length === 0) return "";
  const lines = open.slice(0, SHOWN).map(({ id, text }) => `> ${clipLine(id, 100)}: ${clipLine(text, CHARACTERS)}`);
  const more = open.length > SHOWN ? [`> (${open.length - SHOWN} more)`] : [];
  return ["No todo covers these requirements yet; name them in 'covers':", ...lines, ...more].join("\n");
}
