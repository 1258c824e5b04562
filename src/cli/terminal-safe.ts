import { visible } from "../core/text/index.ts";

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
/** Those of `style.ts`: none of them hides a text. */
const COLOURS = new RegExp(`(${ESCAPE}\\[(?:0|1|2|9|31|32|33|90)m)`);
