import { visible } from "../core/text/index.ts";

/** Lines of at most that many columns, broken between words; a longer word is cut hard. */
export function wrap(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, Math.max(10, columns)))
    .join("\n");
}

function wrapLine(line: string, columns: number): string {
  const lines: string[] = [];
  let rest = line;
  while (width(rest) > columns) {
    const cut = cutAt(rest, columns);
    const space = rest.lastIndexOf(" ", cut);
    const at = space > 0 ? space : cut;
    lines.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest].join("\n");
}

/** One line that fits, marked where it was cut. */
export function clip(text: string, columns: number): string {
  const line = printable(text);
  return width(line) <= columns ? line : `${line.slice(0, cutAt(line, Math.max(1, columns - 1)))}…`;
}

/** Untrusted text on one line, with nothing in it that steers the terminal or cannot be seen. */
export function printable(text: string): string {
  return visible(text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")).trimEnd();
}

/** How many columns a terminal gives it: wide characters take two, marks none. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOf(character);
  return columns;
}

function cutAt(text: string, columns: number): number {
  let used = 0;
  let at = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > columns) return at;
    at += character.length;
  }
  return at;
}

function columnsOf(character: string): number {
  if (/\p{Mark}|\u200d|\ufe0f/u.test(character)) return 0;
  const code = character.codePointAt(0)!;
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return isWide ? 2 : 1;
}
