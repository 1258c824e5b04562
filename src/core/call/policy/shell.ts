/**
 * Reads a shell line into the simple commands it would run, those inside `$( )`, backticks, `<( )` and
 * subshells included, and the files it would redirect to. It need not understand everything: what it cannot
 * read with certainty it calls unreadable, and then nobody is allowed anything because of how the line begins.
 */
export function readShell(line: string): ShellLine {
  const scan = new Scan(line);
  const list = scan.list(undefined);
  return scan.failed ? { readable: false } : { readable: true, commands: list };
}

export type ShellLine =
  | { readonly readable: true; readonly commands: readonly SimpleCommand[] }
  | { readonly readable: false };

export interface SimpleCommand {
  /** Empty when the line only sets variables or only redirects. */
  readonly words: readonly Word[];
  /** Variables set in front of it: they can change what a known command does. */
  readonly environment: boolean;
  readonly writes: readonly Word[];
  readonly reads: readonly Word[];
}

/** `literal` is false when the shell would put something else in its place; `text` is then only its source. */
export interface Word {
  readonly text: string;
  readonly literal: boolean;
}

interface Token extends Word {
  /** As it stands in the line, quotes included. */
  readonly source: string;
  readonly quoted: boolean;
  readonly pattern: boolean;
}
interface Draft {
  readonly words: Word[];
  environment: boolean;
  readonly writes: Word[];
  readonly reads: Word[];
  /** A subshell or a loop head stands here: further words would make it something else. */
  closed: boolean;
  /** The words of `for x in a b` run nothing. */
  silent: boolean;
}

/** Words that only give a line its form when they stand where a command would begin. */
const FORM = new Set(["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "!", "time", "{", "}"]);
/** Forms that this reader does not follow. */
const FOREIGN = new Set(["case", "esac", "select", "function", "coproc", "[[", "]]"]);
const DEPTH = 20;

class Scan {
  failed = false;
  private at = 0;
  private depth = 0;
  private readonly text: string;
  private heredocs: { delimiter: string; indented: boolean; expands: boolean }[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Commands up to `end`, or to the end of the text. */
  list(end: ")" | undefined): SimpleCommand[] {
    const found: SimpleCommand[] = [];
    if (++this.depth > DEPTH) this.fail();
    while (!this.failed) {
      this.command(found);
      const next = this.text[this.at];
      if (next === undefined) {
        if (end !== undefined) this.fail();
        break;
      }
      if (next === ")") {
        if (end === ")") this.at++;
        else this.fail();
        break;
      }
      this.at++; // one of \n ; & | ; a doubled one leaves an empty command behind, which is none
      if (next === "\n") this.skipHeredocs();
    }
    this.depth--;
    return found;
  }

  private command(found: SimpleCommand[]): void {
    const draft: Draft = { words: [], environment: false, writes: [], reads: [], closed: false, silent: false };
    while (!this.failed) {
      this.skipBlanks();
      const next = this.text[this.at];
      if (next === undefined || "\n;|)".includes(next)) break;
      if (next === "&" && this.text[this.at + 1] !== ">") break;
      if (next === "#") {
        this.skipTo("\n");
      } else if (next === "(") {
        this.subshell(draft, found);
      } else if (this.here(/\d*[<>](?!\()|\d*<<|&>/y) !== null) {
        this.redirection(draft, found);
      } else {
        this.place(this.word(found), draft);
      }
    }
    if (draft.silent) draft.words.length = 0;
    const { words, environment, writes, reads } = draft;
    const isEmpty = words.length + writes.length + reads.length === 0 && !environment;
    if (!isEmpty) found.push({ words, environment, writes, reads });
  }

  private subshell(draft: Draft, found: SimpleCommand[]): void {
    if (draft.words.length > 0 || draft.closed || draft.environment || this.text[this.at + 1] === "(") {
      this.fail(); // a function, an array, or arithmetic
    } else {
      this.at++;
      found.push(...this.list(")"));
      draft.closed = true;
    }
  }

  private place(token: Token, draft: Draft): void {
    const { text, literal, source, quoted, pattern } = token;
    const begins = draft.words.length === 0 && !draft.silent;
    if (draft.closed || (begins && !quoted && FOREIGN.has(text))) this.fail();
    if (begins && !quoted && text === "for") draft.silent = true;
    if (!begins) draft.words.push({ text, literal });
    else if (!quoted && FORM.has(text)) return;
    else if (/^[A-Za-z_]\w*\+?=/.test(source)) draft.environment = true;
    else draft.words.push({ text, literal: literal && !pattern });
  }

  /** The text that `pattern` (sticky) finds exactly here. */
  private here(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  private redirection(draft: Draft, found: SimpleCommand[]): void {
    const operator = this.here(/\d*(&>>|&>|<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)/y)!;
    this.at += operator[0].length;
    const kind = operator[1]!;
    this.skipBlanks();
    const target = this.word(found);
    if (target.text === "" && !target.quoted) this.fail();
    if (kind === "<<" || kind === "<<-") {
      this.heredocs.push({ delimiter: target.text, indented: kind === "<<-", expands: !target.quoted });
    } else if (kind === "<" || kind === "<>") {
      draft.reads.push({ text: target.text, literal: target.literal });
      if (kind === "<>") draft.writes.push({ text: target.text, literal: target.literal });
    } else if (kind !== "<<<" && kind !== "<&" && !isStream(kind, target.text)) {
      draft.writes.push({ text: target.text, literal: target.literal });
    }
  }

  /** The bodies of the heredocs named on the line that ends here. */
  private skipHeredocs(): void {
    for (const { delimiter, indented, expands } of this.heredocs) {
      for (;;) {
        const end = this.text.indexOf("\n", this.at);
        const line = end < 0 ? this.text.slice(this.at) : this.text.slice(this.at, end);
        this.at = end < 0 ? this.text.length : end + 1;
        if ((indented ? line.replace(/^\t+/, "") : line) === delimiter || end < 0) break;
        if (expands && /\$\(|`/.test(line)) this.fail();
      }
    }
    this.heredocs = [];
  }

  private word(found: SimpleCommand[]): Token {
    const start = this.at;
    let text = "";
    let literal = true;
    let quoted = false;
    let pattern = false;
    while (!this.failed && this.at < this.text.length) {
      const c = this.text[this.at]!;
      if ((c === "<" || c === ">") && this.text[this.at + 1] === "(" && text === "") {
        this.at += 2;
        found.push(...this.list(")"));
        literal = false;
        text += `${c}(…)`;
      } else if (" \t\n;&|()<>".includes(c)) {
        break;
      } else if (c === "'") {
        const end = this.text.indexOf("'", this.at + 1);
        if (end < 0) this.fail();
        text += this.text.slice(this.at + 1, end);
        this.at = end + 1;
        quoted = true;
      } else if (c === '"') {
        const inner = this.doubleQuoted(found);
        text += inner.text;
        literal &&= inner.literal;
        quoted = true;
      } else if (c === "\\") {
        if (this.text[this.at + 1] !== "\n") text += this.text[this.at + 1] ?? "";
        this.at = Math.min(this.at + 2, this.text.length);
        quoted = true;
      } else if (c === "$" || c === "`") {
        const inner = this.expansion(found);
        text += inner.text;
        literal &&= inner.literal;
      } else {
        if ("*?[".includes(c)) pattern = true;
        if (c === "{" && this.here(/\{[^\s}]*(,|\.\.)/y) !== null) literal = false;
        text += c;
        this.at++;
      }
    }
    return { text, literal, source: this.text.slice(start, this.at), quoted, pattern: pattern && text !== "[" };
  }

  private doubleQuoted(found: SimpleCommand[]): Word {
    let text = "";
    let literal = true;
    this.at++;
    for (;;) {
      const c = this.text[this.at];
      if (c === undefined || this.failed) {
        this.fail();
        break;
      }
      if (c === '"') {
        this.at++;
        break;
      }
      if (c === "\\") {
        const next = this.text[this.at + 1] ?? "";
        if (next !== "\n") text += '$`"\\'.includes(next) ? next : c + next;
        this.at = Math.min(this.at + 2, this.text.length);
      } else if (c === "$" || c === "`") {
        const inner = this.expansion(found);
        text += inner.text;
        literal &&= inner.literal;
      } else {
        text += c;
        this.at++;
      }
    }
    return { text, literal };
  }

  /** At `$` or a backtick. What it stands for is not known, but the commands inside are. */
  private expansion(found: SimpleCommand[]): Word {
    const rest = this.text.slice(this.at, this.at + 3);
    if (rest.startsWith("`")) return this.backticks(found);
    if (rest === "$((" || rest.startsWith("${") || rest.startsWith("$[")) {
      return this.enclosed(rest === "$((" ? "))" : rest[1] === "{" ? "}" : "]");
    }
    if (rest.startsWith("$(")) {
      this.at += 2;
      found.push(...this.list(")"));
      return { text: "$(…)", literal: false };
    }
    if (rest.startsWith("$'") || rest.startsWith('$"')) {
      this.fail(); // escapes of its own
      return { text: "", literal: false };
    }
    const name = this.here(/\$(\w+|[!#$*@?-])/y);
    this.at += name === null ? 1 : name[0].length;
    return name === null ? { text: "$", literal: true } : { text: name[0], literal: false };
  }

  private backticks(found: SimpleCommand[]): Word {
    let inner = "";
    for (this.at++; ; this.at++) {
      const c = this.text[this.at];
      if (c === undefined) {
        this.fail();
        break;
      }
      if (c === "`") {
        this.at++;
        break;
      }
      if (c === "\\" && "$`\\".includes(this.text[this.at + 1] ?? " ")) inner += this.text[++this.at];
      else inner += c;
    }
    const scan = new Scan(inner);
    scan.depth = this.depth;
    found.push(...scan.list(undefined));
    if (scan.failed) this.fail();
    return { text: "`…`", literal: false };
  }

  private enclosed(end: string): Word {
    const stop = this.text.indexOf(end, this.at + 2);
    const inner = this.text.slice(this.at + 2, stop);
    if (stop < 0 || /\$[({[]|`/.test(inner)) this.fail(); // something nested: not followed
    const text = this.text.slice(this.at, stop + end.length);
    this.at = stop + end.length;
    return { text, literal: false };
  }

  private skipBlanks(): void {
    this.at += this.here(/([ \t]|\\\n)*/y)![0].length;
  }

  private skipTo(end: string): void {
    const stop = this.text.indexOf(end, this.at);
    this.at = stop < 0 ? this.text.length : stop;
  }

  private fail(): void {
    this.failed = true;
    this.at = this.text.length;
  }
}

/** `2>&1`, `>&-` and the null device change no file. */
function isStream(operator: string, target: string): boolean {
  if (operator === ">&" && /^(\d+|-)$/.test(target)) return true;
  return ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"].includes(target);
}
