/** Languages that keep tests inside the files of the work. */
export const mayHoldTests = (path: string): boolean => path.endsWith(".rs");

interface Block {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What only tests are compiled with: `#[cfg(test)] mod tests { … }`, or a test that stands on its own. */
const OPENS =
  /^[ \t]*#\[(?:cfg\((?:test|(?:all|any)\((?![^\]]*\bnot\()[^\]]*\btest\b[^\]]*\))\)|test)\](?:\s*#\[[^\]]*\])*\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:mod|fn|impl)\s+([\w<>' ]+?)\s*(?:\([^{;]*)?\{/gm;

/** Blocks of tests in a file of Rust, in their order, none within another. */
export function inlineTests(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const opens = new RegExp(OPENS);
  for (let found = opens.exec(text); found; found = opens.exec(text)) {
    const to = closing(text, opens.lastIndex);
    blocks.push({ name: found[1] ?? "", from: found.index, to, text: text.slice(found.index, to) });
    opens.lastIndex = to;
  }
  return blocks;
}

/** What holds braces that mean nothing: comments, strings, raw strings, characters. A lifetime is no character. */
const OPAQUE =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bb?r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|b?'(?:\\(?:u\{[^}]*\}|[^\n])|[^'\\\n])'|[{}]/g;

/** Behind the brace that closes what was opened before; a file that ends before that is not whole. */
function closing(text: string, from: number): number {
  const pieces = new RegExp(OPAQUE);
  pieces.lastIndex = from;
  let depth = 1;
  for (let piece = pieces.exec(text); piece; piece = pieces.exec(text)) {
    if (piece[0] === "{") depth++;
    if (piece[0] === "}" && --depth === 0) return pieces.lastIndex;
  }
  return text.length;
}

/** The new file with the tests of the old one, where they were changed or deleted. Undefined: there is nothing to put back. */
export function mergeInlineTests(
  before: string,
  after: string,
): { readonly text: string; readonly changed: readonly string[] } | undefined {
  const now = inlineTests(after);
  const lost = inlineTests(before).filter(({ text }) => !now.some((one) => one.text === text));
  if (lost.length === 0) return undefined;
  const names = new Set(lost.map(({ name }) => name));
  const replaced = now.filter(({ name }) => names.has(name));
  const rest = replaced.reduceRight((text, { from, to }) => text.slice(0, from) + text.slice(to), after);
  return { text: [rest.trimEnd(), ...lost.map(({ text }) => text)].join("\n\n").concat("\n"), changed: [...names] };
}
