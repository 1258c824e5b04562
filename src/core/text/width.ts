import { eastAsianWidth } from "get-east-asian-width";

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

const columnsOf = (character: string): number =>
  /\p{Mark}|\u200d|\ufe0f/u.test(character) ? 0 : eastAsianWidth(character.codePointAt(0)!);
