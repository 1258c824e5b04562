import type { Call, ModelRequest, Step } from "../../../src/testing/index.ts";

/** The item that a nudge asks for next. */
export function askedFor(request: ModelRequest): number | undefined {
  const last = request.messages.at(-1);
  const asked = last?.role === "user" ? /Next action: edit_todos start \[(\d+)\]/.exec(last.text)?.[1] : undefined;
  return asked === undefined ? undefined : Number(asked);
}

export const writeList = (items: number): Call => [
  "write_todos",
  { mode: "replace", todos: Array.from({ length: items }, (_, index) => ({ text: `item ${index}` })) },
];

/** One item with some work that can be seen. */
export const workOn = (index: number): readonly Call[] => [
  ["edit_todos", { action: "start", indices: [index] }],
  ["write", { path: `file-${index}.txt`, content: String(index) }],
  ["edit_todos", { action: "complete", indices: [index] }],
];

/** A model that writes a list at the first words and then does one item each time it is told to continue, and stops. */
export function stopsAfterEachItem(items: number) {
  return (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role === "tool") return { text: "That is done, I stop here." };
    const next = askedFor(request);
    return next === undefined ? { calls: [writeList(items)] } : { calls: workOn(next) };
  };
}

/** Nudges as they stand at the end of a request: each of them started exactly one. */
export const nudges = (requests: readonly ModelRequest[]): readonly string[] =>
  requests.flatMap(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "user" && /^Todos remain: /.test(last.text) ? [last.text] : [];
  });

/** Writes a list, runs one command for its first item that must be approved, and completes that item. */
export const asksOnce =
  (items: number, command: string) =>
  (request: ModelRequest): Step => {
    const last = request.messages.at(-1);
    const isOfList = (result: string): boolean => /^(?:Wrote|Completed) /.test(result);
    const ran = request.messages.some(({ role, text }) => role === "tool" && !isOfList(text));
    if (last?.role === "tool" && (!ran || isOfList(last.text))) return { text: "I stop here." };
    if (ran) return { calls: [["edit_todos", { action: "complete", indices: [0] }]] };
    const item = askedFor(request);
    return item === undefined ? { calls: [writeList(items)] } : { calls: [["bash", { command }]] };
  };
