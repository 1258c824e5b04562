import { EVENT_TABLE } from "./event-table.ts";
import { type Form, misfit, spoken } from "./events/form.ts";

/** Why an event of the log is not believed; undefined: it has all that its type must have. */
export function problemOf(event: { readonly type: string }): string | undefined {
  const form = FORMS.get(event.type);
  if (form === undefined) return `"${event.type.slice(0, 100)}" is not an event that this version knows`;
  const wrong = misfit(form, event);
  return wrong === undefined ? undefined : `"${event.type}" has no readable '${wrong}'`;
}

/** With where it was said, which may stand on any of them. */
const FORMS: ReadonlyMap<string, Form> = new Map(
  Object.entries(EVENT_TABLE).map(([type, { fields }]): [string, Form] => [
    type,
    [...Object.entries(fields), ["from", spoken]],
  ]),
);
