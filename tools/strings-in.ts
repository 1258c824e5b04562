// The string literals and templates of a source file, each with the line it begins in. Comments and regular expressions are skipped;
// an expression inside a template becomes an ellipsis, and the strings inside it are found on their own.

export interface Literal {
  readonly text: string;
  readonly line: number;
}

const SPACE = /\s/;
/** After one of these a slash divides; after anything else it opens a regular expression. */
const ENDS_VALUE = /[\w$)\]}]/;
const KEYWORD_BEFORE = /\b(return|typeof|case|in|of|do|else|void|delete|throw|yield|await)$/;

export function stringsIn(source: string): readonly Literal[] {
  return new Scanner(source).all();
}

class Scanner {
  private at = 0;
  private line = 1;
  private before = "";
  private readonly found: Literal[] = [];
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  all(): readonly Literal[] {
    this.code();
    return this.found;
  }

  /** Reads code up to its end, or up to the brace that closes the template expression it stands in. */
  private code(): void {
    let depth = 0;
    while (this.at < this.source.length) {
      const char = this.source[this.at]!;
      if (char === "}" && depth === 0) return;
      if (char === "{") depth += 1;
      if (char === "}") depth -= 1;
      this.token(char);
    }
  }

  private token(char: string): void {
    const two = this.source.slice(this.at, this.at + 2);
    if (two === "//") this.skipTo("\n", 0);
    else if (two === "/*") this.skipTo("*/", 2);
    else if (char === '"' || char === "'") this.quoted(char);
    else if (char === "`") this.template();
    else if (char === "/" && this.opensRegex()) this.regex();
    else {
      if (!SPACE.test(char)) this.before = (SPACE.test(this.source[this.at - 1] ?? " ") ? " " : "") + char;
      this.next();
    }
  }

  private opensRegex(): boolean {
    const last = this.before.at(-1) ?? "";
    if (!ENDS_VALUE.test(last)) return true;
    return KEYWORD_BEFORE.test(this.source.slice(Math.max(0, this.at - 12), this.at).trimEnd());
  }

  private quoted(quote: string): void {
    const line = this.line;
    this.next();
    let text = "";
    while (this.at < this.source.length && this.source[this.at] !== quote && this.source[this.at] !== "\n")
      text += this.letter();
    this.next();
    this.keep(text, line);
  }

  private template(): void {
    const line = this.line;
    this.next();
    let text = "";
    while (this.at < this.source.length && this.source[this.at] !== "`") {
      if (this.source.startsWith("${", this.at)) {
        this.next(2);
        this.before = "";
        this.code();
        this.next();
        text += "…";
      } else text += this.letter();
    }
    this.next();
    this.keep(text, line);
  }

  private regex(): void {
    let isClass = false;
    this.next();
    while (this.at < this.source.length && this.source[this.at] !== "\n") {
      const char = this.source[this.at]!;
      if (char === "/" && !isClass) break;
      if (char === "[") isClass = true;
      if (char === "]") isClass = false;
      this.next(char === "\\" ? 2 : 1);
    }
    this.next();
    this.before = ")";
  }

  /** An escaped letter keeps no backslash: a line break is a space to a reader of words. */
  private letter(): string {
    const char = this.source[this.at]!;
    if (char !== "\\") {
      this.next();
      return char;
    }
    const escaped = this.source[this.at + 1] ?? "";
    this.next(2);
    return /[nrt\n]/.test(escaped) ? " " : escaped;
  }

  private keep(text: string, line: number): void {
    this.found.push({ text, line });
    this.before = ")";
  }

  private skipTo(end: string, length: number): void {
    const found = this.source.indexOf(end, this.at);
    this.next((found < 0 ? this.source.length : found + length) - this.at);
  }

  private next(count = 1): void {
    for (let step = 0; step < count && this.at < this.source.length; step += 1) {
      if (this.source[this.at] === "\n") this.line += 1;
      this.at += 1;
    }
  }
}
