/** Text of others as it may stand on a screen: what cannot be seen is written out, as JSON would write it. */
export function visible(text: string): string {
  return text.replace(/[^\t\n -~]/gu, (found, at: number) => {
    if (!isUnseen(found.codePointAt(0)!)) return found;
    return JOINS.has(found) && isAfterPicture(text, at) ? found : escaped(found);
  });
}

/**
 * What steers a terminal or has no width of its own: controls, marks that turn the direction of reading, fillers, joiners,
 * variation selectors, tags. Line break and tab stay as they are.
 */
const UNSEEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

export const isUnseen = (code: number): boolean => UNSEEN.some(([first, last]) => code >= first && code <= last);

/** An emoji is put together with these, and keeps those that follow a picture. */
const JOINS: ReadonlySet<string> = new Set(["\u200d", "\ufe0f"]);
const isAfterPicture = (text: string, at: number): boolean =>
  /(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(text.slice(Math.max(0, at - 3), at));

const escaped = (found: string): string =>
  Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
