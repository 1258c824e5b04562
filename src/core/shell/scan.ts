import type { Command } from "./command.ts";

/** A place in a shell line. A scan that failed stands at its end, so that every loop over it ends too. */
export interface Scan {
  readonly text: string;
  at: number;
  failed: boolean;
  depth: number;
  /** Heredocs named on this line, whose bodies begin on the next. */
  heredocs: Heredoc[];
  /** Reads the commands inside a substitution or a subshell, up to `)` or to the end of the text. */
  readonly inside: (scan: Scan, end: ")" | undefined) => Command;
}

export interface Heredoc {
  readonly delimiter: string;
  readonly indented: boolean;
  /** Its body is subject to substitution. */
  readonly expands: boolean;
  /** The word that is fed in; its text is known once the lines below were read. */
  readonly body: { text: string };
}

export function fail(scan: Scan): void {
  scan.failed = true;
  scan.at = scan.text.length;
}

/** What `pattern` (sticky) finds exactly here. */
export function here(scan: Scan, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = scan.at;
  return pattern.exec(scan.text);
}

/** Steps over `text` if it stands here. */
export function take(scan: Scan, text: string): boolean {
  if (!scan.text.startsWith(text, scan.at)) return false;
  scan.at += text.length;
  return true;
}

/** Blanks, continued lines, and a comment. */
export function skipBlanks(scan: Scan): void {
  scan.at += here(scan, /([ \t\r]|\\\n)*/y)![0].length;
  if (scan.text[scan.at] === "#") scan.at = endOf(scan, "\n");
}

/** Everything that may stand between two commands. */
export function skipSeparators(scan: Scan): void {
  for (skipBlanks(scan); "\n;".includes(scan.text[scan.at] ?? " "); skipBlanks(scan)) {
    if (take(scan, "\n")) skipHeredocs(scan);
    else if (take(scan, ";;")) fail(scan);
    else scan.at++;
  }
}

function skipHeredocs(scan: Scan): void {
  for (const { delimiter, indented, expands, body } of scan.heredocs) {
    const from = scan.at;
    for (;;) {
      const start = scan.at;
      const end = endOf(scan, "\n");
      const line = scan.text.slice(scan.at, end);
      const isLast = end === scan.text.length;
      scan.at = isLast ? end : end + 1;
      const isDelimiter = (indented ? line.replace(/^\t+/, "") : line) === delimiter;
      body.text = scan.text.slice(from, isDelimiter ? start : end);
      if (isDelimiter || isLast) break;
      if (expands && /\$\(|`/.test(line)) fail(scan);
    }
  }
  scan.heredocs = [];
}

function endOf({ text, at }: Scan, end: string): number {
  const found = text.indexOf(end, at);
  return found < 0 ? text.length : found;
}
