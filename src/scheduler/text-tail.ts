import { NO_OUTPUT, type Output } from "../core/call/index.ts";

/** Keeps the end of what is printed, at most `most` characters, at a cost that does not depend on what was dropped. */
export interface TextTail {
  add(text: string): void;
  read(): Output;
}

export function createTextTail(most: number): TextTail {
  let chunks: string[] = [];
  let length = 0;
  let dropped = 0;

  function compact(): void {
    const text = chunks.join("");
    const cut = cutPoint(text, most);
    dropped += cut;
    chunks = [text.slice(cut)];
    length = text.length - cut;
  }

  return {
    add(text) {
      chunks.push(text);
      length += text.length;
      if (length > 2 * most) compact();
    },
    read() {
      if (length === 0 && dropped === 0) return NO_OUTPUT;
      if (length > most || chunks.length > 1) compact();
      return { text: chunks[0] ?? "", dropped };
    },
  };
}

/** Where the kept end begins; never between the two halves of one character. */
function cutPoint(text: string, most: number): number {
  const cut = Math.max(0, text.length - most);
  const unit = text.charCodeAt(cut);
  return cut > 0 && unit >= 0xdc00 && unit <= 0xdfff ? cut + 1 : cut;
}
