import { isUnseen } from "./visible.ts";
import { cutAt, width } from "./width.ts";

/**
 * Text that you approve, with every character of it visible: a line break is `⏎` and a new line, a tab is `⇥`, and what
 * has no shape of its own, looks like a space or turns the direction of reading is written out as JSON would write it. It says
 * exactly one text: what already looks like one of these signs is written out, too.
 */
export function exactly(text: string): string {
  return text.replace(STRANGE, (found, at: number) => {
    if (found === "\n") return "⏎\n";
    if (found === "\t") return "⇥";
    if (found === "\\") return WRITTEN_OUT.test(text.slice(at, at + 6)) ? "\\u005c" : found;
    return isSeen(found, text.slice(Math.max(0, at - 2), at)) ? found : writtenOut(found);
  });
}

/** Rows for a screen. They are joined with nothing in between: a space at a break begins the next row, where it can be seen. */
export function exactRows(text: string, columns: number): readonly string[] {
  const room = Math.max(10, columns);
  const lines = exactly(text).split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.flatMap((line) => broken(line, room));
}

/** A text on one line: its beginning and its end, with how much stands between them. */
export function exactLine(text: string, columns: number): string {
  const line = exactly(text).replaceAll("\n", "");
  if (width(line) <= columns) return line;
  const mark = (hidden: number) => ` … ${hidden} more characters … `;
  const room = Math.max(4, columns - width(mark(line.length)));
  const head = whole(line.slice(0, cutAt(line, Math.ceil(room / 2))));
  const end = endOf(line, Math.floor(room / 2));
  return `${head}${mark(line.length - head.length - end.length)}${end}`;
}

function endOf(line: string, columns: number): string {
  const backwards = [...line].reverse().join("");
  const start = line.length - cutAt(backwards, columns);
  const sign = line.lastIndexOf("\\u", start);
  return line.slice(sign >= 0 && WRITTEN_OUT.test(line.slice(sign)) ? Math.max(start, sign + 6) : start);
}

/** The first and the last rows, with a line between them that says what is not shown. */
export function fold(rows: readonly string[], most: number, says: (hidden: number) => string): readonly string[] {
  if (rows.length <= most) return rows;
  const tail = Math.max(1, Math.floor((most - 1) / 2));
  const head = Math.max(1, most - 1 - tail);
  return [...rows.slice(0, head), says(rows.length - head - tail), ...rows.slice(-tail)];
}

/** Everything but plain text: what is left of it after a look at its neighbours is written out. */
const STRANGE = /[^ -[\]-~]/gu;
const WRITTEN_OUT = /^\\u[0-9a-f]{4}/;

function isSeen(character: string, before: string): boolean {
  if (SIGNS.has(character) || isUnseen(character.codePointAt(0)!) || /[\p{C}\p{Z}]/u.test(character)) return false;
  return !/\p{M}/u.test(character) || /\p{L}$/u.test(before); // an accent belongs to a letter
}

const SIGNS: ReadonlySet<string> = new Set(["⏎", "⇥", "…"]);

function broken(line: string, columns: number): readonly string[] {
  const rows: string[] = [];
  let rest = line.replace(/ (?=⏎?$)/, writtenOut(" ")); // what ends in a space ends in nothing that could be seen
  while (cutAt(rest, columns) < rest.length) {
    const row = rest.slice(0, breakAt(rest, columns));
    rows.push(row.endsWith(" ") ? `${row.slice(0, -1)}${writtenOut(" ")}` : row);
    rest = rest.slice(row.length);
  }
  return [...rows, rest];
}

/** Before a space that follows a word, unless that leaves half of the row empty. */
function breakAt(line: string, columns: number): number {
  const cut = cutAt(line, columns - writtenOut(" ").length + 1);
  for (let at = cut; at > cut / 2; at--) if (line[at] === " " && line[at - 1] !== " ") return at;
  return whole(line.slice(0, cut)).length;
}

/** A row does not end within a character that is written out. */
const whole = (row: string): string => row.replace(/\\u[0-9a-f]{0,3}$|\\$/, "") || row;

const writtenOut = (found: string): string =>
  Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
