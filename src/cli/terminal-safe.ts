import { visible } from "../core/text/index.ts";
import { styleCodes } from "./style.ts";

/**
 * The one way to the terminal. Whatever an agent, a project or a file says may hold characters that steer it or hide something:
 * they are written out as JSON would write them, which reads well on a screen and stays valid in JSON. Our own colours pass, and
 * a line that does nothing but move the cursor.
 */
export function terminalSafe(text: string): string {
  if (ONLY_CURSOR.test(text)) return text;
  return text
    .split(COLOURS)
    .map((part, at) => (at % 2 === 1 ? part : visible(part)))
    .join("");
}

const ESCAPE = "\u001b";
const ONLY_CURSOR = new RegExp(`^(?:${ESCAPE}\\[\\d*[AHJ])+$`);
/** None of them hides a text. */
const COLOURS = new RegExp(`(${ESCAPE}\\[(?:${styleCodes().join("|")})m)`);
