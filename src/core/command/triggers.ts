import type { Trigger } from "../react/index.ts";
import type { Order } from "./order.ts";

/** Orders that the run itself carries out; the others are shown, or need a workflow that has to be found first. */
export type RunOrder = Exclude<Order, { type: "list" | "status" | "workflow" }>;

/** What the run is told. `id`: a name for words that are queued, new each time. */
export function triggerOf(order: RunOrder, id: () => string): Trigger {
  switch (order.type) {
    case "hold":
      return { type: "human.hold", now: order.now, batch: order.batch };
    case "unhold":
      return {
        type: "human.resume",
        ...(order.text !== "" && { words: { id: id(), text: order.text, kind: "steer" } }),
      };
    case "say":
      return { type: "words.queue", words: { id: id(), text: order.text, kind: order.kind } };
    case "add":
      return {
        type: "todos.write",
        by: "human",
        write:
          order.at === undefined
            ? { mode: "append", todos: [order.todo] }
            : { mode: "insert", index: order.at, todos: [order.todo] },
      };
    case "edit":
      return { type: "todos.human_edit", edit: order.edit };
    case "extend":
      return { type: "human.extend", budget: order.budget };
    case "accept":
      return { type: "human.accept" };
    case "switch":
      return { type: "continuation.switch", on: order.on };
    case "clear":
      return { type: "human.clear" };
    case "cancel-workflow":
      return { type: "workflow.step", action: "cancel", by: "human" };
  }
}
