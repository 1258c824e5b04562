/**
 * The part of the shell's grammar that decides a line's exit status: lists, pipelines, groups and simple commands.
 * Loops and conditions are opaque, and a line that is not understood is `undefined`, never a guess.
 */
export type Command =
  | { readonly type: "simple"; readonly words: readonly Word[]; readonly readsFile: boolean }
  | { readonly type: "pipeline"; readonly commands: readonly Command[]; readonly negated: boolean }
  | { readonly type: "chain"; readonly first: Command; readonly rest: readonly Link[] }
  | { readonly type: "list"; readonly items: readonly Item[] }
  | { readonly type: "group"; readonly body: Command; readonly subshell: boolean }
  | { readonly type: "opaque"; readonly mayExit: boolean };

/** `literal` is false when the shell would expand something in it: a variable, a substitution, a glob. */
export interface Word {
  readonly text: string;
  readonly literal: boolean;
}
export interface Link {
  readonly operator: "&&" | "||";
  readonly command: Command;
}
/** "a &": nobody waits for it, so its own status is lost. */
export interface Item {
  readonly command: Command;
  readonly background: boolean;
}

export function parseShellLine(line: string): Command | undefined {
  const tokens = tokenize(line);
  if (tokens === undefined) return undefined;
  const cursor: Cursor = { tokens, at: 0 };
  const command = parseList(cursor);
  return cursor.at === tokens.length ? command : undefined;
}

type Token = { readonly type: "word"; readonly word: Word } | { readonly type: "operator"; readonly text: string };
interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
}

const NOTHING: Command = { type: "simple", words: [], readsFile: false };
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ["if", "fi"],
  ["for", "done"],
  ["while", "done"],
  ["until", "done"],
  ["select", "done"],
  ["case", "esac"],
]);
/** After these words a command begins. */
const OPENS_COMMAND = new Set(["then", "do", "else", "elif", "if", "while", "until", "!", "{", "in"]);
const LEAVES_EARLY = new Set(["exit", "return", "exec", "set", "trap", "eval", "source", "."]);

function parseList(cursor: Cursor): Command | undefined {
  const items: Item[] = [];
  for (;;) {
    skipSeparators(cursor);
    if (atEndOfList(cursor)) break;
    const command = parseChain(cursor);
    if (command === undefined) return undefined;
    const background = isOperator(cursor, "&");
    items.push({ command, background });
    if (background || isOperator(cursor, ";")) cursor.at++;
    else if (!atEndOfList(cursor)) return undefined;
  }
  const [only] = items;
  if (only === undefined) return NOTHING;
  return items.length === 1 && !only.background ? only.command : { type: "list", items };
}

function parseChain(cursor: Cursor): Command | undefined {
  const first = parsePipeline(cursor);
  const rest: Link[] = [];
  for (;;) {
    const operator = isOperator(cursor, "&&") ? "&&" : isOperator(cursor, "||") ? "||" : undefined;
    if (operator === undefined) break;
    cursor.at++;
    skipSeparators(cursor); // a line may break after && and ||
    const command = parsePipeline(cursor);
    if (command === undefined) return undefined;
    rest.push({ operator, command });
  }
  return first === undefined || rest.length === 0 ? first : { type: "chain", first, rest };
}

function parsePipeline(cursor: Cursor): Command | undefined {
  let negated = false;
  while (isWord(cursor, "!")) {
    negated = !negated;
    cursor.at++;
  }
  const commands: Command[] = [];
  for (;;) {
    const command = parseCommand(cursor);
    if (command === undefined) return undefined;
    commands.push(command);
    if (!isOperator(cursor, "|")) break;
    cursor.at++;
    skipSeparators(cursor);
  }
  return commands.length === 1 && !negated ? commands[0] : { type: "pipeline", commands, negated };
}

function parseCommand(cursor: Cursor): Command | undefined {
  const token = cursor.tokens[cursor.at];
  if (token === undefined) return undefined;
  if (isOperator(cursor, "(")) return parseGroup(cursor, ")");
  if (token.type !== "word") return isRedirection(token) ? parseSimple(cursor) : undefined;
  const name = keywordOf(token);
  if (name === "{") return parseGroup(cursor, "}");
  if (name === "[[") return parseDoubleBracket(cursor);
  if (name === "function") return undefined;
  return CLOSERS.get(name) === undefined ? parseSimple(cursor) : parseOpaque(cursor);
}

function parseGroup(cursor: Cursor, closer: ")" | "}"): Command | undefined {
  cursor.at++;
  const body = parseList(cursor);
  if (body === undefined || !closes(cursor, closer)) return undefined;
  cursor.at++;
  const redirected = parseSimple(cursor); // "( ... ) > log": what follows may only be redirections
  if (redirected.words.length > 0) return undefined;
  return { type: "group", body, subshell: closer === ")" };
}

function parseSimple(cursor: Cursor): Extract<Command, { type: "simple" }> {
  const words: Word[] = [];
  let readsFile = false;
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    if (token.type === "word") {
      words.push(token.word);
      cursor.at++;
    } else if (isRedirection(token)) {
      const target = cursor.tokens[cursor.at + 1];
      if (token.text === "<" && !(target?.type === "word" && target.word.text === "/dev/null")) readsFile = true;
      cursor.at += target?.type === "word" ? 2 : 1;
    } else break;
  }
  return { type: "simple", words, readsFile };
}

/** Inside [[ ]] the list operators belong to the expression. */
function parseDoubleBracket(cursor: Cursor): Command | undefined {
  const words: Word[] = [];
  let plain = true;
  for (; ; cursor.at++) {
    const token = cursor.tokens[cursor.at];
    if (token === undefined) return undefined;
    if (token.type === "word") words.push(token.word);
    else plain = false;
    if (isWord(cursor, "]]")) break;
  }
  cursor.at++;
  return plain ? { type: "simple", words, readsFile: false } : { type: "opaque", mayExit: false };
}

/** From `if`, `for`, `while`, `case` to the word that closes it. */
function parseOpaque(cursor: Cursor): Command | undefined {
  const open: string[] = [];
  let mayExit = false;
  for (let starts = true; cursor.at < cursor.tokens.length; cursor.at++) {
    const token = cursor.tokens[cursor.at]!;
    if (token.type === "operator") {
      starts = !isRedirection(token);
      continue;
    }
    const name = keywordOf(token);
    if (LEAVES_EARLY.has(name)) mayExit = true;
    const closer = starts ? CLOSERS.get(name) : undefined;
    if (closer !== undefined) open.push(closer);
    else if (starts && name === open.at(-1)) open.pop();
    if (open.length === 0) {
      cursor.at++;
      return { type: "opaque", mayExit };
    }
    starts = OPENS_COMMAND.has(name);
  }
  return undefined;
}

function isRedirection(token: Token): boolean {
  return token.type === "operator" && /[<>]/.test(token.text);
}

function isOperator(cursor: Cursor, text: string): boolean {
  const token = cursor.tokens[cursor.at];
  return token?.type === "operator" && token.text === text;
}

function isWord(cursor: Cursor, text: string): boolean {
  const token = cursor.tokens[cursor.at];
  return token?.type === "word" && keywordOf(token) === text;
}

/** A quoted keyword is no keyword, but no sane line depends on it: only the text is looked at. */
function keywordOf(token: Extract<Token, { type: "word" }>): string {
  return token.word.text;
}

function closes(cursor: Cursor, closer: ")" | "}"): boolean {
  return closer === ")" ? isOperator(cursor, ")") : isWord(cursor, "}");
}

function atEndOfList(cursor: Cursor): boolean {
  return cursor.at >= cursor.tokens.length || isOperator(cursor, ")") || isWord(cursor, "}");
}

function skipSeparators(cursor: Cursor): void {
  while (isOperator(cursor, ";")) cursor.at++;
}

const OPERATORS = [
  "&&",
  "||",
  "|&",
  ";;",
  "&>>",
  "&>",
  ">>",
  ">&",
  ">|",
  "<&",
  "<>",
  ";",
  "&",
  "|",
  "(",
  ")",
  "<",
  ">",
];

function tokenize(line: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < line.length) {
    const char = line[at]!;
    if (char === "\n") {
      tokens.push({ type: "operator", text: ";" });
      at++;
    } else if (/\s/.test(char)) at++;
    else if (line.startsWith("\\\n", at)) at += 2;
    else if (char === "#") while (at < line.length && line[at] !== "\n") at++;
    else if (line.startsWith("<<", at))
      return undefined; // here-documents change what the next lines mean
    else {
      const operator = OPERATORS.find((text) => line.startsWith(text, at));
      if (operator !== undefined) {
        tokens.push({ type: "operator", text: operator === "|&" ? "|" : operator });
        at += operator.length;
        continue;
      }
      const read = readWord(line, at);
      if (read === undefined) return undefined;
      at = read.end;
      const isDescriptor = /^\d+$/.test(read.word.text) && /[<>]/.test(line[at] ?? "");
      if (!isDescriptor) tokens.push({ type: "word", word: read.word });
    }
  }
  return tokens;
}

function readWord(line: string, start: number): { word: Word; end: number } | undefined {
  let text = "";
  let literal = true;
  let bracket = false;
  let at = start;
  while (at < line.length && !/[\s;&|()<>]/.test(line[at]!)) {
    const char = line[at]!;
    const end = endOfPiece(line, at);
    if (end === undefined) return undefined;
    const piece = line.slice(at, end);
    if (char === "'") text += piece.slice(1, -1);
    else if (char === "\\") text += piece.slice(1);
    else if (char === '"') {
      if (/[$`]/.test(piece.replace(/\\[\s\S]/g, ""))) literal = false;
      text += piece.slice(1, -1).replace(/\\(["\\$`])/g, "$1");
    } else {
      if (/[$`*?~]/.test(char)) literal = false;
      if (char === "[") bracket = true;
      text += piece;
    }
    at = end;
  }
  const isGlob = bracket && text !== "[" && text !== "[[";
  return { word: { text, literal: literal && !isGlob }, end: at };
}

/** Where the quotation, escape, substitution or single character that begins at `at` ends. */
function endOfPiece(line: string, at: number): number | undefined {
  const char = line[at]!;
  if (char === "\\") return Math.min(at + 2, line.length);
  if (char === "'" || char === "`") return after(line.indexOf(char, at + 1));
  if (char === '"') return endOfNested(line, at + 1, '"');
  if (line.startsWith("$(", at)) return endOfNested(line, at + 2, ")");
  if (line.startsWith("${", at)) return endOfNested(line, at + 2, "}");
  return at + 1;
}

function endOfNested(line: string, start: number, closer: string): number | undefined {
  for (let at: number | undefined = start; at !== undefined && at < line.length; ) {
    if (line[at] === closer) return at + 1;
    // inside double quotes a single quote is only a character
    if (closer === '"' && line[at] === "'") at++;
    else if (closer === ")" && line[at] === "(") at = endOfNested(line, at + 1, ")");
    else at = endOfPiece(line, at);
  }
  return undefined;
}

function after(index: number): number | undefined {
  return index < 0 ? undefined : index + 1;
}
