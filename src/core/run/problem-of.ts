import type { RunEvent } from "./event.ts";
import { isKnownType, rowOf } from "./event-table.ts";
import { type Form, type Kind, misfit, spoken } from "./events/form.ts";

/** Why an event of the log is not believed; undefined: it has all that its type must have. */
export function problemOf(event: { readonly type: string }): string | undefined {
  const { type } = event;
  if (!isKnownType(type)) return `"${type.slice(0, 100)}" is not an event that this version knows`;
  const wrong = misfit(formOf(type), event);
  return wrong === undefined ? undefined : `"${type}" has no readable '${wrong}'`;
}

/** With where it was said, which may stand on any of them. Made when one is read: a process meets few types of events. */
function formOf(type: RunEvent["type"]): Form {
  const known = FORMS.get(type);
  if (known) return known;
  const made: Form = [...Object.entries<Kind>(rowOf({ type }).fields), ["from", spoken]];
  FORMS.set(type, made);
  return made;
}

const FORMS = new Map<string, Form>();
