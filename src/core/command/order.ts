import type { Budget, HoldBatch, QueuedWords } from "../run/index.ts";
import type { HumanEdit, TodoInput } from "../todo/index.ts";

/** What you can say to a run, whatever carries it: a terminal, a slash command, a line of a prompt. */
export type Order =
  | { readonly type: "hold"; readonly now: boolean; readonly batch?: HoldBatch }
  | { readonly type: "unhold"; readonly text: string }
  | { readonly type: "say"; readonly text: string; readonly kind: QueuedWords["kind"] }
  | { readonly type: "list" }
  | { readonly type: "add"; readonly todo: TodoInput; readonly at?: number }
  | { readonly type: "edit"; readonly edit: HumanEdit }
  | { readonly type: "extend"; readonly budget: Budget }
  | { readonly type: "accept" }
  | { readonly type: "switch"; readonly on: boolean }
  | { readonly type: "clear" }
  | { readonly type: "status" }
  | { readonly type: "workflow"; readonly name: string; readonly description: string; readonly replaces: boolean }
  | { readonly type: "cancel-workflow" };

export type ReadOrder<O extends Order = Order> =
  | { readonly status: "read"; readonly order: O }
  | { readonly status: "unclear"; readonly message: string };

export const read = <const O extends Order>(order: O): ReadOrder<O> => ({ status: "read", order });
export const unclear = (message: string): ReadOrder<never> => ({ status: "unclear", message });
