/** What a provider or a host said when it refused to continue. Header names are in lower case. */
export interface LimitSaid {
  readonly message: string;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * When to come back, as far as it was said: headers first, since they are exact; then a moment in the message, then a
 * span. Undefined: it was not said. A time of day without a zone is read in `zone`.
 */
export function resetOf({ message, headers = {} }: LimitSaid, now: number, zone = "UTC"): number | undefined {
  const text = message.slice(0, LONGEST);
  const found = fromHeaders(headers, now) ?? momentIn(text, now, zone) ?? spanIn(text, now);
  return found !== undefined && found > now && found - now < FARTHEST_MS ? found : undefined;
}

const LONGEST = 4000;
const FARTHEST_MS = 40 * 24 * 3_600_000;

function fromHeaders(headers: Readonly<Record<string, string | undefined>>, now: number): number | undefined {
  const exact = headers["retry-after-ms"];
  if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact)) return now + Number(exact);
  const after = readAfter(headers["retry-after"], now);
  if (after !== undefined) return after;
  // Of several limits the one that is used up ends last; one that has something left says nothing.
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || !/ratelimit.*reset/.test(name) || hasSomeLeft(name, headers)) return [];
    return [readAfter(value, now) ?? spanOf(value, now) ?? []].flat();
  });
  return resets.length > 0 ? Math.max(...resets) : undefined;
}

function hasSomeLeft(name: string, headers: Readonly<Record<string, string | undefined>>): boolean {
  const remaining = headers[name.replace("reset", "remaining")];
  return remaining !== undefined && Number(remaining) > 0;
}

/** Seconds from now, seconds since 1970, or a date. */
function readAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return sinceEpoch(Number(text)) ?? now + Number(text) * 1000;
  const date = /[a-z]{3}|\d-\d/i.test(text) && /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

const EPOCH_SECONDS = 1_000_000_000;
const EPOCH_MILLIS = EPOCH_SECONDS * 1000;

function sinceEpoch(number: number): number | undefined {
  if (number >= EPOCH_MILLIS) return number;
  return number >= EPOCH_SECONDS ? number * 1000 : undefined;
}

const ISO = /\b(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)/;
const STAMP = /(?:\||reset\w*\D{0,20}|until\D{0,10})(\d{10}|\d{13})\b/i;
const CLOCK =
  /\b(?:reset|again|until|available)\w*\s(?:[\w,]{1,12}\s){0,4}?(\d{1,2})(?::(\d{2}))?\s?([ap])\.?m\b\.?(?:\s\(?([A-Za-z]+\/[\w/+-]+|UTC|GMT))?/i;

function momentIn(text: string, now: number, zone: string): number | undefined {
  const iso = ISO.exec(text)?.[1];
  if (iso !== undefined) return Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`);
  const stamp = STAMP.exec(text)?.[1];
  if (stamp !== undefined) return sinceEpoch(Number(stamp));
  const clock = CLOCK.exec(text);
  if (!clock) return undefined;
  const hour = (Number(clock[1]) % 12) + (clock[3]!.toLowerCase() === "p" ? 12 : 0);
  return nextTime(hour, Number(clock[2] ?? 0), clock[4] ?? zone, now);
}

/** The next time the clocks of `zone` show this hour and minute. */
function nextTime(hour: number, minute: number, zone: string, now: number): number | undefined {
  const shown = minutesInZone(now, zone) ?? minutesInZone(now, "UTC")!;
  const ahead = (hour * 60 + minute - shown + 1440) % 1440;
  return now - (now % MINUTE) + ahead * MINUTE;
}

const MINUTE = 60_000;

function minutesInZone(at: number, zone: string): number | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    const [hour, minute] = format.format(at).split(":").map(Number);
    return hour! * 60 + minute!;
  } catch {
    return undefined; // an unknown zone
  }
}

const SAYS_SPAN =
  /(?:requested(?= \d+s retry delay)|retry|try again|reset\w*|wait|available)\D{0,30}?((?:\d+(?:\.\d+)?\s?[a-z]+[\s,and]*){1,4})/i;

function spanIn(text: string, now: number): number | undefined {
  const said = SAYS_SPAN.exec(text)?.[1];
  const span = said === undefined ? undefined : spanOf(said, now);
  const seconds = BARE.exec(text)?.[1];
  return span ?? (seconds === undefined ? undefined : now + Number(seconds) * 1000);
}

/** A number without a unit, as in the header it was copied from. */
const BARE = /(?:retry[- _]?(?:after|in)|try again (?:in|after))\W{0,5}(\d+(?:\.\d+)?)(?!\s?[a-z\d])/i;

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/, 1],
  [/^s/, 1000],
  [/^mo/, Number.NaN],
  [/^m/, MINUTE],
  [/^h/, 60 * MINUTE],
  [/^d/, 24 * 60 * MINUTE],
];

/** `6m0s`, `1.5s`, `2 hours 3 minutes`, `5 days`. Undefined if a unit is unknown. */
function spanOf(text: string, now: number): number | undefined {
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s?([a-z]+)/g)];
  if (parts.length === 0) return undefined;
  let sum = 0;
  for (const [, number, unit] of parts) {
    const factor = UNITS.find(([name]) => name.test(unit!))?.[1];
    if (factor === undefined || Number.isNaN(factor)) break;
    sum += Number(number) * factor;
  }
  return sum > 0 ? now + sum : undefined;
}
