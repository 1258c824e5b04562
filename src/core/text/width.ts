/** How many columns a terminal gives it: wide characters take two, marks none. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOf(character);
  return columns;
}

/** How much of a text fits into that many columns. */
export function cutAt(text: string, columns: number): number {
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
