/** Lengths of time for people: `4 s`, `12 min`, `3 h`, `5 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  if (seconds < 36 * 3600) return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  return `${Math.round(seconds / 86_400)} d`;
}

const UNITS = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `30d`, `12h`: what a user types. Undefined if it is not such a thing. */
export function parseSpan(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(s|m|min|h|d|w)$/.exec(text.trim());
  return match ? Number(match[1]) * UNITS[match[2] as keyof typeof UNITS] : undefined;
}

/** Local time of day, with its date where that is another day: not for what comes within half a day, also after midnight. */
export function clockTime(at: number, now: number): string {
  const date = new Date(at);
  const time = date.toTimeString().slice(0, 8);
  const isSoon = at >= now && at - now < HALF_A_DAY_MS;
  return isSoon || date.toDateString() === new Date(now).toDateString() ? time : `${day(date)} ${time}`;
}

const HALF_A_DAY_MS = 12 * 3_600_000;

const day = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
