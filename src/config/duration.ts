import { DURATION, parseDuration, showDuration } from "../core/todo/index.ts";
import { accept, type Kind, refuse } from "./kind.ts";

/** A time with its unit, as milliseconds. A bare number is refused: its unit would be a guess. */
export function duration(most: string): Kind<number> {
  const longest = parseDuration(most)!;
  const expected = `a time with its unit (500ms, 3s, 10m, 2h; at most ${most})`;
  return {
    expected,
    read: (value) => {
      const ms = value === 0 ? 0 : typeof value === "string" ? parseDuration(value) : undefined;
      return ms === undefined || ms > longest ? refuse(expected, value) : accept(ms);
    },
    fromText: (line) => line.trim(),
    show: showDuration,
    schema: { anyOf: [{ const: 0 }, { type: "string", pattern: DURATION.source }] },
  };
}
