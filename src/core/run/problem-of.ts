import type { RunEvent } from "./event.ts";
import { EVENT_TABLE, isKnownType } from "./event-table.ts";
import { type Form, misfit, spoken } from "./events/form.ts";

/** Why an event of the log is not believed; undefined: it has all that its type must have. */
export function problemOf(event: { readonly type: string }): string | undefined {
  if (!isKnownType(event.type)) return `"${event.type.slice(0, 100)}" is not an event that this version knows`;
  const wrong = misfit(FORMS[event.type], event);
  return wrong === undefined ? undefined : `"${event.type}" has no readable '${wrong}'`;
}

/** With where it was said, which may stand on any of them. */
const FORMS = Object.fromEntries(
  Object.entries(EVENT_TABLE).map(([type, { fields }]) => [type, [...Object.entries(fields), ["from", spoken]]]),
) as unknown as Readonly<Record<RunEvent["type"], Form>>;
