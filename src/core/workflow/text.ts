/** Cut text to a length, the sign that says so included. */
export function clipText(text: string, characters: number): string {
  return text.length <= characters ? text : `${beginning(text, characters - 1)}…`;
}

/** The first characters of a text; a cut never splits one in two. */
export function beginning(text: string, characters: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(characters - 1)) ? characters - 1 : characters);
}

/** Text from files and humans as part of one line: no line breaks, no control characters, bounded. */
export function clipLine(text: string, characters: number): string {
  return clipText(withoutControls(text).replace(/\s+/g, " ").trim(), characters);
}

/** Nothing that breaks a line or speaks to a terminal. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

/** Text of others as a block that reads as quoted, whatever stands in it. */
export function quoteBlock(text: string, characters: number): string {
  return clipText(text, characters)
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
