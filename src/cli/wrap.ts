import { cutAt, visible, width } from "../core/text/index.ts";

export { width };

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
    lines.push(rest.slice(0, at).trimEnd());
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
