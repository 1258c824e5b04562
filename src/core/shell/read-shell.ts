import type { Command, Item, Link, Redirects, Word } from "./command.ts";
import { readWord, type Token } from "./read-word.ts";
import { fail, here, type Scan, skipBlanks, skipSeparators, take } from "./scan.ts";

/**
 * Reads a shell line. It need not understand everything: what it cannot read with certainty is `undefined`, and then
 * nothing is concluded from how the line begins.
 */
export function readShell(line: string): Command | undefined {
  if (line.length > LONGEST) return undefined;
  const scan: Scan = { text: line, at: 0, failed: false, depth: 0, heredocs: [], inside };
  const command = inside(scan, undefined);
  return scan.failed ? undefined : command;
}

/** A longer command is not read: it asks. */
const LONGEST = 131_072;
const DEPTH = 20;
/** Reserved words that open a form, and those that only stand inside one. */
const OPENS = new Set(["{", "if", "while", "until", "for", "[["]);
const FOLLOWS = new Set(["}", "then", "elif", "else", "fi", "do", "done", "]]"]);
/** Forms that this reader does not follow. */
const FOREIGN = new Set(["case", "esac", "select", "function", "coproc"]);

function inside(scan: Scan, end: ")" | undefined): Command {
  const body = list(scan, []);
  if (end === undefined ? scan.at < scan.text.length : !take(scan, end)) fail(scan);
  return body;
}

/** Commands up to one of the words `ends`, which is not stepped over, or up to `)` or the end of the text. */
function list(scan: Scan, ends: readonly string[]): Command {
  const items: Item[] = [];
  if (++scan.depth > DEPTH) fail(scan);
  for (skipSeparators(scan); !scan.failed && !atEnd(scan, ends); skipSeparators(scan)) {
    const command = chain(scan);
    const background = here(scan, /&(?!&)/y) !== null;
    if (background) scan.at++;
    items.push({ command, background });
    if (!background && here(scan, /[\n;)]|$/y) === null && !atEnd(scan, ends)) fail(scan);
  }
  scan.depth--;
  const [only] = items;
  if (only === undefined) return NOTHING;
  return items.length === 1 && !only.background ? only.command : { type: "list", items };
}

const NOTHING: Command = { type: "simple", assignments: [], words: [], writes: [], reads: [], feeds: [] };

function atEnd(scan: Scan, ends: readonly string[]): boolean {
  const next = scan.text[scan.at];
  return next === undefined || next === ")" || ends.includes(keyword(scan) ?? "");
}

/** The reserved word that stands here, where a command would begin. Quoted it would be none. */
function keyword(scan: Scan): string | undefined {
  const word = here(scan, /(\[\[|\]\]|[{}!]|[a-z]+)(?=[\s;&|()<>]|$)/y)?.[1];
  return word !== undefined && (word === "!" || [OPENS, FOLLOWS, FOREIGN].some((words) => words.has(word)))
    ? word
    : undefined;
}

function chain(scan: Scan): Command {
  const first = pipeline(scan);
  const rest: Link[] = [];
  for (;;) {
    const operator = take(scan, "&&") ? "&&" : take(scan, "||") ? "||" : undefined;
    if (operator === undefined) return rest.length === 0 ? first : { type: "chain", first, rest };
    skipSeparators(scan); // a line may break after && and ||
    rest.push({ operator, command: pipeline(scan) });
  }
}

function pipeline(scan: Scan): Command {
  let negated = false;
  for (; keyword(scan) === "!"; skipBlanks(scan)) {
    negated = !negated;
    scan.at++;
  }
  const commands = [command(scan)];
  while (here(scan, /\|(?!\|)/y) !== null) {
    scan.at += here(scan, /\|&?/y)![0].length;
    skipSeparators(scan);
    commands.push(command(scan));
  }
  return commands.length === 1 && !negated ? commands[0]! : { type: "pipeline", commands, negated };
}

function command(scan: Scan): Command {
  if (here(scan, /\((?!\()/y) !== null) {
    scan.at++;
    const body = inside(scan, ")");
    return { type: "group", body, subshell: true, ...redirects(scan) };
  }
  const word = keyword(scan);
  if (word === undefined) return simple(scan);
  scan.at += word.length;
  switch (word) {
    case "{": {
      const body = closed(scan, "}");
      return { type: "group", body, subshell: false, ...redirects(scan) };
    }
    case "[[":
      return doubleBracket(scan);
    case "if":
      return { type: "compound", words: [], bodies: branches(scan), ...redirects(scan) };
    case "while":
    case "until":
      return { type: "compound", words: [], bodies: [closed(scan, "do"), closed(scan, "done")], ...redirects(scan) };
    case "for":
      return { type: "compound", words: loopWords(scan), bodies: [closed(scan, "done")], ...redirects(scan) };
    default:
      fail(scan); // a form that is not followed, or a word that stands where none may
      return NOTHING;
  }
}

function closed(scan: Scan, end: string): Command {
  const body = list(scan, [end]);
  if (keyword(scan) === end) scan.at += end.length;
  else fail(scan);
  return body;
}

function branches(scan: Scan): readonly Command[] {
  const bodies = [closed(scan, "then")];
  for (;;) {
    bodies.push(list(scan, ["elif", "else", "fi"]));
    const word = keyword(scan);
    scan.at += word?.length ?? 0;
    if (word === "else") return [...bodies, closed(scan, "fi")];
    if (word === "fi") return bodies;
    if (word !== "elif") {
      fail(scan);
      return bodies;
    }
    bodies.push(closed(scan, "then"));
  }
}

/** `name in a b; do`: the words run nothing by themselves. */
function loopWords(scan: Scan): readonly Word[] {
  const words: Word[] = [];
  for (skipBlanks(scan); here(scan, /[^\n;&|()<>]/y) !== null; skipBlanks(scan)) words.push(plain(readWord(scan)));
  skipSeparators(scan);
  if (keyword(scan) === "do") scan.at += "do".length;
  else fail(scan);
  return words;
}

/** Inside `[[ ]]` the list operators belong to the expression. */
function doubleBracket(scan: Scan): Command {
  const words: Word[] = [{ text: "[[", literal: true, pattern: false, runs: [] }];
  let operators = false;
  for (skipBlanks(scan); ; skipBlanks(scan)) {
    if (scan.at >= scan.text.length) fail(scan);
    if (scan.failed) break;
    if (here(scan, /[\n;&|()<>]/y) !== null) {
      operators = true;
      scan.at++;
      continue;
    }
    const word = readWord(scan);
    words.push(plain(word));
    if (word.source === "]]") break;
  }
  const { writes, reads, feeds } = redirects(scan);
  return { type: "test", words, operators: operators || writes.length + reads.length + feeds.length > 0 };
}

/** What follows a group or a loop may only be redirections. */
function redirects(scan: Scan): Redirects {
  const { assignments, words, writes, reads, feeds } = simple(scan, "after");
  if (assignments.length + words.length > 0) fail(scan);
  return { writes, reads, feeds };
}

function simple(scan: Scan, where: "alone" | "after" = "alone"): Extract<Command, { type: "simple" }> {
  const start = scan.at;
  const assignments: Word[] = [];
  const words: Word[] = [];
  const targets = { writes: [] as Word[], reads: [] as Word[], feeds: [] as Word[] };
  for (skipBlanks(scan); here(scan, /[\n;|)]|&(?!>)|$/y) === null; skipBlanks(scan)) {
    if (scan.text[scan.at] === "(")
      fail(scan); // a function, an array, or arithmetic
    else if (here(scan, /\d*[<>](?!\()|\d*<<|&>/y) !== null) redirect(scan, targets);
    else {
      const word = readWord(scan);
      const isAssignment = words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(word.source);
      (isAssignment ? assignments : words).push(plain(word));
    }
  }
  if (where === "alone" && scan.at === start) fail(scan); // an operator with nothing before it
  return { type: "simple", assignments, words, ...targets };
}

function redirect(scan: Scan, { writes, reads, feeds }: { readonly [K in keyof Redirects]: Word[] }): void {
  const operator = here(scan, /\d*(&>>|&>|<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)/y)!;
  scan.at += operator[0].length;
  skipBlanks(scan);
  const target = readWord(scan);
  if (target.source === "") fail(scan);
  const kind = operator[1]!;
  if (kind === "<<" || kind === "<<-") {
    const body = { text: "", literal: true, pattern: false, runs: [] };
    feeds.push(body);
    scan.heredocs.push({ delimiter: target.text, indented: kind === "<<-", expands: !target.quoted, body });
  } else if (kind === "<<<" || kind === "<&") {
    feeds.push(plain(target));
  } else {
    if (kind === "<" || kind === "<>") reads.push(plain(target));
    if (kind !== "<" && !isStream(kind, target.text)) writes.push(plain(target));
  }
}

/** `2>&1`, `>&-` and the null device change no file. */
function isStream(operator: string, target: string): boolean {
  if (operator === ">&" && /^(\d+|-)$/.test(target)) return true;
  return ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"].includes(target);
}

const plain = ({ text, literal, pattern, runs }: Token): Word => ({ text, literal, pattern, runs });
