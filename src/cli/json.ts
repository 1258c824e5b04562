/**
 * What `--json` prints. Moments are UTC ISO strings, whatever the log keeps; durations are numbers whose names say the unit.
 * The shape of every answer: tools/json-shapes.ts.
 */
export const jsonText = (value: unknown): string => JSON.stringify(withTimes(value), null, 2);

/** The same on one line, for what is printed one object at a time. */
export const jsonLine = (value: unknown): string => JSON.stringify(withTimes(value));

/** Names under which a number is a moment. */
const MOMENTS: ReadonlySet<string> = new Set([
  ...["at", "askedAt", "answeredAt", "startedAt", "endedAt", "endsAt"],
  ...["began", "updated", "until", "paired", "seen"],
]);

/** What others chose the names in: arguments of tools, events and folded runs as the log has them. */
const AS_IT_IS: ReadonlySet<string> = new Set(["args", "event", "folded"]);

function withTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTimes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (AS_IT_IS.has(name)) return [name, each];
      return [name, typeof each === "number" && MOMENTS.has(name) ? moment(each) : withTimes(each)];
    }),
  );
}

/** A wait without an end has no moment; nor has what a damaged log says. */
function moment(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
