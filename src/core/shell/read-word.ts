import type { Command, Word } from "./command.ts";
import { fail, here, type Scan, take } from "./scan.ts";

/** A word as it stands in the line. */
export interface Token extends Word {
  /** With its quotes. */
  readonly source: string;
  readonly quoted: boolean;
}

interface Draft {
  text: string;
  literal: boolean;
  quoted: boolean;
  pattern: boolean;
  readonly runs: Command[];
}

/** Up to the next blank or operator; empty if one stands here. */
export function readWord(scan: Scan): Token {
  const start = scan.at;
  const draft: Draft = { text: "", literal: true, quoted: false, pattern: false, runs: [] };
  let braced = false; // after a brace that is not closed yet: a comma or two dots would make it expand
  while (!scan.failed && scan.at < scan.text.length) {
    const char = scan.text[scan.at]!;
    if (draft.text === "" && here(scan, /[<>]\(/y) !== null) {
      scan.at += 2;
      substitute(scan, draft, `${char}(…)`, ")");
    } else if (" \t\r\n;&|()<>".includes(char)) {
      break;
    } else if (char === "'") {
      singleQuoted(scan, draft);
    } else if (char === '"') {
      doubleQuoted(scan, draft);
    } else if (char === "\\") {
      escaped(scan, draft);
    } else if (char === "$" || char === "`") {
      expansion(scan, draft);
    } else {
      if ("*?[~".includes(char)) draft.pattern = true;
      braced = char === "{" || (braced && char !== "}");
      if (braced && (char === "," || scan.text.startsWith("..", scan.at))) draft.literal = false;
      draft.text += char;
      scan.at++;
    }
  }
  const pattern = draft.pattern && draft.text !== "[" && draft.text !== "[[";
  return { ...draft, pattern, source: scan.text.slice(start, scan.at) };
}

function singleQuoted(scan: Scan, draft: Draft) {
  draft.quoted = true;
  const end = scan.text.indexOf("'", scan.at + 1);
  if (end < 0) return fail(scan);
  draft.text += scan.text.slice(scan.at + 1, end);
  scan.at = end + 1;
}

function doubleQuoted(scan: Scan, draft: Draft) {
  draft.quoted = true;
  scan.at++;
  while (!take(scan, '"')) {
    const char = scan.text[scan.at];
    if (char === undefined) return fail(scan);
    if (char === "$" || char === "`") {
      expansion(scan, draft);
    } else if (char === "\\") {
      const next = scan.text[scan.at + 1] ?? "";
      if (next !== "\n") draft.text += '$`"\\'.includes(next) ? next : char + next;
      scan.at = Math.min(scan.at + 2, scan.text.length);
    } else {
      draft.text += char;
      scan.at++;
    }
  }
}

function escaped(scan: Scan, draft: Draft) {
  const next = scan.text[scan.at + 1] ?? "";
  if (next !== "\n") draft.text += next;
  draft.quoted = true;
  scan.at = Math.min(scan.at + 2, scan.text.length);
}

/** At `$` or a backtick. What it stands for is not known, but the commands inside are. */
function expansion(scan: Scan, draft: Draft) {
  if (scan.text[scan.at] === "`") return backticks(scan, draft);
  if (scan.text.startsWith("$((", scan.at)) return enclosed(scan, draft, "))");
  if (scan.text.startsWith("${", scan.at)) return enclosed(scan, draft, "}");
  if (scan.text.startsWith("$[", scan.at)) return enclosed(scan, draft, "]");
  if (take(scan, "$(")) return substitute(scan, draft, "$(…)", ")");
  if (here(scan, /\$['"]/y) !== null) return fail(scan); // escapes of its own
  const name = here(scan, /\$(\w+|[!#$*@?-])/y);
  draft.text += name?.[0] ?? "$";
  if (name !== null) draft.literal = false;
  scan.at += name?.[0].length ?? 1;
}

function substitute(scan: Scan, draft: Draft, text: string, end: ")" | undefined) {
  draft.runs.push(scan.inside(scan, end));
  draft.literal = false;
  draft.text += text;
}

function backticks(scan: Scan, draft: Draft) {
  let text = "";
  for (scan.at++; !take(scan, "`"); scan.at++) {
    const char = scan.text[scan.at];
    if (char === undefined) return fail(scan);
    text += char === "\\" && "$`\\".includes(scan.text[scan.at + 1] ?? " ") ? scan.text[++scan.at] : char;
  }
  const inner: Scan = { text, at: 0, failed: false, depth: scan.depth, heredocs: [], inside: scan.inside };
  substitute(inner, draft, "`…`", undefined);
  if (inner.failed) fail(scan);
}

function enclosed(scan: Scan, draft: Draft, end: string) {
  const stop = scan.text.indexOf(end, scan.at + 2);
  if (stop < 0 || /\$[({[]|`/.test(scan.text.slice(scan.at + 2, stop))) return fail(scan); // nested: not followed
  draft.text += scan.text.slice(scan.at, stop + end.length);
  draft.literal = false;
  scan.at = stop + end.length;
}
