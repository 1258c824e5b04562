import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Call, ModelRequest, Step } from "../../../src/testing/index.ts";
import type { Place } from "./tildone.ts";

export const ITEMS = 30;

/** A plan of thirty items; each one appends its number to a file, so that work done twice is seen. */
export function layOutPlan({ project, pi }: Place, settings: object = {}): void {
  const items = Array.from({ length: ITEMS }, (_, index) => `- [ ] append ${index}`);
  writeFileSync(join(project, "plan.md"), `# Thirty numbers\n\n${items.join("\n")}\n`);
  mkdirSync(pi, { recursive: true });
  // The thresholds are those of a small model, and the pauses those of an impatient user.
  const small = { retry: { baseDelayMs: 20 }, compaction: { keepRecentTokens: 200 } };
  writeFileSync(join(pi, "settings.json"), JSON.stringify({ ...small, ...settings }));
}

export const hardRun = (url: string): readonly string[] => [
  ...["run", "--file", "plan.md", "--check", `test $(sort -u done.txt | wc -l) -eq ${ITEMS}`],
  ...withModel(url),
];

export const resumed = (url: string): readonly string[] => ["run", "--resume", ...withModel(url)];

const withModel = (url: string) => [
  ...["--base-url", `${url}/v1`, "--model", "scripted", "--approval", "yolo", "--json"],
];

/** The numbers in the order in which they were appended. */
export const appended = ({ project }: Place): readonly number[] =>
  readFileSync(join(project, "done.txt"), "utf8").trimEnd().split("\n").map(Number);

/** What goes wrong before an item is worked on, in order. */
export const TROUBLES: ReadonlyMap<number, readonly Step[]> = new Map([
  [3, [{ status: 429, message: "rate limit reached for requests", headers: { "retry-after-ms": "40" } }]],
  [6, [{ status: 500, message: "internal server error" }]],
  [
    9,
    [
      { status: 500, message: "internal server error" },
      { status: 503, message: "the engine is overloaded" },
      { status: 502, message: "bad gateway" },
    ],
  ],
  [12, [{ text: "I begin with", stop: "dropped" }]],
  [15, [{ status: 400, message: "Your input exceeds the context window of this model" }]],
  [18, [{ calls: [["bash", '{"command": "echo oh']] }]],
  [21, [{ calls: [["append_number", { number: 21 }]] }]],
]);

/**
 * A model that does one item each time it is told to continue, and stops. It knows nothing but its conversation, so it works on after
 * whatever happened to the process. A call without a result it makes again, without looking first.
 */
export function blindWorker(troubles: ReadonlyMap<number, readonly Step[]> = new Map()) {
  const left = new Map([...troubles].map(([item, steps]) => [item, [...steps]]));
  const script = (request: ModelRequest): Step => {
    if (request.tools.length === 0) return { text: "So far some numbers were appended." }; // a summary is asked for
    const item = itemOf(request);
    const isAnswered = request.messages.at(-1)?.role === "tool";
    const trouble = item === undefined || (isAnswered && !isFailed(request)) ? undefined : left.get(item)?.shift();
    if (trouble) return trouble;
    if (isAnswered && !isFailed(request)) return { text: "That one is done, I stop here." };
    if (item === undefined) return { text: "I will." };
    return { calls: workOn(item).filter(([tool]) => tool !== "bash" || !hasResultOf(request, append(item))) };
  };
  return { script, troublesLeft: () => [...left.values()].flat().length };
}

const workOn = (item: number): readonly Call[] => [
  ["edit_todos", { action: "start", indices: [item] }],
  ["bash", { command: append(item) }],
  ["edit_todos", { action: "complete", indices: [item] }],
];

const append = (item: number): string => `echo ${item} >> done.txt`;

/** It ran this command, as far as the conversation knows: what pi puts in the place of a lost result is none. */
function hasResultOf({ body }: ModelRequest, command: string): boolean {
  const { messages } = body as { messages: readonly Message[] };
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  const ids = calls.filter((call) => call.function.arguments.includes(`"${command}"`)).map(({ id }) => id);
  return messages.some(
    ({ tool_call_id, content }) => ids.includes(tool_call_id ?? "") && content !== "No result provided",
  );
}

interface Message {
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

/** The item that the newest nudge asks for, to begin with it or to continue. */
function itemOf({ messages }: ModelRequest): number | undefined {
  const asked = messages.findLast(({ role }) => role === "user")?.text ?? "";
  const item = /Next action: edit_todos (?:start|complete) \[(\d+)\]/.exec(asked)?.[1];
  return item === undefined ? undefined : Number(item);
}

const isFailed = ({ messages }: ModelRequest): boolean =>
  /not found|validation failed|must have|required/i.test(messages.at(-1)?.text ?? "");
