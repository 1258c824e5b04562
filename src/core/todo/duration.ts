/** A time with its unit, as people write it for checks and settings: `500ms`, `3s`, `10m`, `2h`. A bare number has none. */
export const DURATION = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$|^0$/;
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

export function parseDuration(line: string): number | undefined {
  if (line === "0") return 0;
  const [, count, unit] = DURATION.exec(line) ?? [];
  return count === undefined ? undefined : Math.round(Number(count) * UNITS[unit as keyof typeof UNITS]);
}

export function showDuration(ms: number): string {
  if (ms === 0) return "0";
  const unit = (["h", "m", "s"] as const).find((name) => ms % UNITS[name] === 0) ?? "ms";
  return `${ms / UNITS[unit]}${unit}`;
}
