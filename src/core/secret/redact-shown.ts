/**
 * The text of an approval without secrets. Nothing that could do something is hidden in it: a value that a shell would take for
 * more than a word, or a second line, stays, whatever it looks like.
 */
export function redactShown(text: string, redact: (text: string) => string): string {
  const redacted = redact(text);
  if (redacted === text) return text;
  if (text.includes("[redacted")) return text; // it could not be told whose mark it is
  const [first = "", ...rest] = redacted.split(/(\[redacted[^\]\n]*\])/);
  if (!text.startsWith(first)) return text;
  let [shown, at] = [first, first.length];
  for (let index = 0; index < rest.length; index += 2) {
    const [mark = "", after = ""] = [rest[index], rest[index + 1]];
    const isLast = index + 2 >= rest.length;
    const next = isLast ? text.length - after.length : text.indexOf(after, at);
    if (next < at || !text.startsWith(after, next)) return text;
    shown += `${hidden(mark, text.slice(at, next))}${after}`;
    at = next + after.length;
  }
  return shown;
}

/** What stands for a hidden part, or the part itself. */
function hidden(mark: string, part: string): string {
  if (FROM_ENVIRONMENT.test(mark) || PASSIVE.test(part)) return mark;
  if (!part.includes("\n")) return part;
  return part.replace(KEY_LINE, (line) => `[redacted ${line.length} characters]`);
}

/** A value of your own environment; no agent chose it. */
const FROM_ENVIRONMENT = /^\[redacted [A-Z][A-Z0-9_]*\]$/;
/** One word, to any shell. */
const PASSIVE = /^[\w.~+/=:@%,-]*$/;
/** A line of a key that is written in several; a path does not look like it. */
const KEY_LINE = /^[A-Za-z0-9+][A-Za-z0-9+/]{47,}={0,2}$/gm;
