import { clipLine } from "../../text/index.ts";
import type { Run } from "../run.ts";

/** How much of a message a line shows. */
export const TEXT = 160;

export function items(ids: readonly string[], { plan }: Run): string {
  return ids
    .map((id) => {
      const index = plan.todos.findIndex((todo) => todo.id === id);
      return index < 0 ? id : `[${index}] ${clipLine(plan.todos[index]!.text, 60)}`;
    })
    .join(", ");
}

export const pairs = (numbers: object): string =>
  Object.entries(numbers)
    .filter(([, value]) => value !== undefined && value !== 0)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ");
