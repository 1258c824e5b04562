const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A size as people read it: `512 B`, `3.4 MB`. */
export function bytes(count: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const size = count / 1000 ** unit;
  return `${unit === 0 || size >= 100 ? Math.round(size) : Number(size.toFixed(1))} ${UNITS[unit]}`;
}
