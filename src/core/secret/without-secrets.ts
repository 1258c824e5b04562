import { redact } from "./redact.ts";

/** Fields in which people and models write what they like. Commands, paths and names stay what they are: something depends on them. */
const WRITTEN: ReadonlySet<string> = new Set([
  "text",
  "goal",
  "reason",
  "message",
  "summary",
  "description",
  "detail",
  "words",
  "why",
  "cut",
]);

/** The same value without secrets in what was written; the very same where there are none. */
export function withoutSecrets<T>(value: T, hide: (text: string) => string = redact): T {
  return clean(value, false) as T;

  function clean(part: unknown, isWritten: boolean): unknown {
    if (typeof part === "string") return isWritten ? hide(part) : part;
    if (Array.isArray(part)) {
      const parts = part.map((each) => clean(each, false)); // texts stand in fields of their own; lists of texts are names
      return parts.every((each, at) => each === part[at]) ? part : parts;
    }
    if (typeof part !== "object" || part === null) return part;
    const fields = Object.entries(part).map(([key, each]) => [key, clean(each, WRITTEN.has(key))] as const);
    return fields.every(([key, each]) => each === (part as Record<string, unknown>)[key])
      ? part
      : Object.fromEntries(fields);
  }
}
