/** Text of others on its way to a model or a terminal: bounded, on one line or visibly quoted, never cut within a character. */

/** Cut text to a length, the sign that says so included. */
export function clipText(text: string, characters: number): string {
  return text.length <= characters ? text : `${beginning(text, characters - 1)}…`;
}

/** The first characters of a text; a cut never splits one in two. */
export function beginning(text: string, characters: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(characters - 1)) ? characters - 1 : characters);
}

/** The last characters of a text; a cut never splits one in two. */
export function ending(text: string, characters: number): string {
  const start = Math.max(0, text.length - characters);
  return text.slice(start > 0 && isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

/** Line breaks and control characters could forge other lines, or speak to a terminal. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, " ").trim();
}

export const clipLine = (text: string, characters: number): string => clipText(oneLine(text), characters);

/** Nothing that breaks a line or speaks to a terminal. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

/** Text of others as a block that reads as quoted, whatever stands in it. */
export const quoteBlock = (text: string, characters: number): string => quoteLines(clipText(text, characters));

export function quoteLines(text: string): string {
  return text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line) => `> ${withoutControls(line)}`.trimEnd())
    .join("\n");
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
