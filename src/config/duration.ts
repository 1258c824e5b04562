import { accept, type Kind, refuse } from "./kind.ts";

/** A time with its unit, as milliseconds. A bare number is refused: nobody remembers which unit it meant. */
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
    schema: { anyOf: [{ const: 0 }, { type: "string", pattern: PATTERN.source }] },
  };
}

const PATTERN = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$|^0$/;
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

function parseDuration(line: string): number | undefined {
  if (line === "0") return 0;
  const [, count, unit] = PATTERN.exec(line) ?? [];
  return count === undefined ? undefined : Math.round(Number(count) * UNITS[unit as keyof typeof UNITS]);
}

export function showDuration(ms: number): string {
  if (ms === 0) return "0";
  const unit = (["h", "m", "s"] as const).find((name) => ms % UNITS[name] === 0) ?? "ms";
  return `${ms / UNITS[unit]}${unit}`;
}
