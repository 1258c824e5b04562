import type { NativeItem } from "../core/todo/index.ts";
import { type Payload, textAt } from "./payload.ts";

/** An item of a host's own list, whose text stands under this key. */
export const nativeItem =
  (key: string) =>
  (item: Payload): NativeItem => {
    const status = STATUSES[textAt(item, "status") ?? ""];
    return { text: textAt(item, key) ?? "", ...(status && { status }) };
  };

/** The words of all hosts; not every one has them all. */
const STATUSES: Readonly<Record<string, NativeItem["status"]>> = {
  pending: "not_started",
  in_progress: "in_progress",
  blocked: "not_started",
  completed: "completed",
  cancelled: "abandoned",
};
