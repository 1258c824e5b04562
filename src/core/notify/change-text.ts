import { clipLine } from "../text/index.ts";

/** A change to files without their contents: `src/vat.ts (+3 -1)`. What is no diff is its first line, which names the call. */
export function changeText(what: string): string {
  const lines = what.split("\n");
  const start = lines.findIndex((line) => line.startsWith("+++ "));
  if (start < 0) return clipLine(lines[0] ?? "", LONGEST);
  const file = lines[start]!.slice(4).split("\t")[0]!;
  const body = lines.slice(start + 1);
  const added = body.filter((line) => line.startsWith("+")).length;
  const removed = body.filter((line) => line.startsWith("-")).length;
  return `${clipLine(file, LONGEST)} (+${added} -${removed})`;
}

/** In characters. */
const LONGEST = 200;
