/** `1 h 3 min`, `4.2 s`, `80 ms` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.round(ms / MINUTE);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const MINUTE = 60_000;

/** Time of day in the one zone that is the same for everyone who reads it. */
export function moment(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "at an unknown time" : date.toISOString().slice(0, 19).replace("T", " ");
}

export const money = (cost: number): string => `$${cost.toFixed(cost < 1 ? 4 : 2)}`;

export const amount = (count: number): string =>
  Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
