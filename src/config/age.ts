import { parseSpan } from "../core/text/index.ts";
import { accept, type Kind, refuse } from "./kind.ts";

const expected = "a time of at least a day with its unit (7d, 12w)";
const DAY = 86_400_000;

/** How old something may become, in milliseconds. */
export const age: Kind<number> = {
  expected,
  read: (value) => {
    const ms = typeof value === "string" ? parseSpan(value) : undefined;
    return ms === undefined || ms < DAY ? refuse(expected, value) : accept(ms);
  },
  fromText: (line) => line.trim(),
  show: (ms) => `${Math.round((ms / DAY) * 100) / 100}d`,
  schema: { type: "string", pattern: "^\\d+(?:\\.\\d+)?\\s*[hdw]$" },
};
