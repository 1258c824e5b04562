import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Call, ModelRequest, Step } from "../src/testing/index.ts";
import { startScriptedModel } from "../src/testing/index.ts";
import { aPlace } from "../test/e2e/agent/tildone.ts";
import { openSandbox } from "../test/e2e/pi/sandbox.ts";

/** How much there is to do, and where each todo begins. */
export interface Size {
  readonly todos: number;
  readonly context?: "same" | "fresh" | "auto";
}
const TWENTY: Size = { todos: 20 };

/** How a model keeps its list beside the work: not at all, in the same requests as the work, or in requests of its own. */
export type Keeping = "none" | "batched" | "two calls a todo" | "one call a step";

/**
 * Todos one after the other, twenty unless said otherwise: each reads a file, edits it and tests it. What the model does is a fixed script, the same for
 * every program: only what the program sends differs.
 */
export function stepsOf(keeping: Keeping, { todos }: Size = TWENTY): readonly Step[] {
  const parts = Array.from({ length: todos }, (_, at) => at);
  return [...parts.flatMap((at) => KEPT[keeping](at, todos)), { text: "All parts work." }];
}

const KEPT: Record<Keeping, (at: number, todos: number) => readonly Step[]> = {
  none: (at) => [{ calls: [read(at)] }, { calls: [edit(at)] }, { calls: [test(at)] }],
  batched: (at, todos) => [
    { calls: [...(at === 0 ? [list(todos), start(0)] : []), read(at)] },
    { calls: [edit(at)] },
    { calls: [test(at), complete(at, at + 1 < todos ? at + 1 : undefined)] },
  ],
  "two calls a todo": (at, todos) => [
    { calls: [...(at === 0 ? [list(todos)] : []), start(at), read(at)] },
    { calls: [edit(at)] },
    { calls: [test(at), complete(at)] },
  ],
  "one call a step": (at, todos) => [
    ...(at === 0 ? [{ calls: [list(todos)] }, { calls: [start(0)] }] : []),
    { calls: [read(at)] },
    { calls: [edit(at)] },
    { calls: [test(at)] },
    { calls: [complete(at, at + 1 < todos ? at + 1 : undefined)] },
  ],
};

const textOf = (at: number): string => `Make part ${at} return the sum with tax, and test it`;
const list = (todos: number): Call => [
  "write_todos",
  { mode: "replace", todos: Array.from({ length: todos }, (_, at) => ({ text: textOf(at) })) },
];
const start = (at: number): Call => ["edit_todos", { action: "start", indices: [at] }];
const complete = (at: number, next?: number): Call => [
  "edit_todos",
  { action: "complete", indices: [at], ...(next !== undefined && { start: [next] }) },
];
const read = (at: number): Call => ["read", { path: `part-${at}.js` }];
const edit = (at: number): Call => [
  "edit",
  {
    path: `part-${at}.js`,
    edits: [
      { oldText: "  return sum;", newText: "  const tax = Math.round(sum * RATE * 100) / 100;\n  return sum + tax;" },
    ],
  },
];
const test = (at: number): Call => ["bash", { command: `node part-${at}.js` }];

const askedFor = ({ todos }: Size): string =>
  `Do these, one after the other:\n${Array.from({ length: todos }, (_, at) => `- ${textOf(at)}`).join("\n")}`;

/** A file of some 150 lines and a test that prints 48: about 1,800 tokens a todo, which is little for real work. */
function layOut(folder: string, { todos }: Size): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < todos; at++) writeFileSync(join(folder, `part-${at}.js`), partOf(at));
}

const NAMES = [
  "bolts",
  "nuts",
  "screws",
  "plates",
  "rods",
  "hinges",
  "springs",
  "valves",
  "seals",
  "gears",
  "pipes",
  "tubes",
];

const partOf = (at: number): string => `// Part ${at} of the invoice.
const RATE = 0.19;
export function sumOf(lines) {
  let sum = 0;
  for (const { amount, price } of lines) sum += amount * price;
  return sum;
}
${NAMES.map((name, key) => functionOf(name, at + key)).join("\n")}
const all = [${NAMES.map((name) => `${name}()`).join(", ")}].flat();
for (const { name, amount, price } of all) console.log("ok", name, amount, "x", price);
if (!(sumOf(all) > 0)) throw new Error("part ${at} has no total");
`;

const functionOf = (name: string, price: number): string => `
/** The ${name} of an order: how many of each size were bought, and what one of them costs. */
export function ${name}(sizes = ["small", "medium", "large", "huge"]) {
  const prices = { small: ${price}, medium: ${price + 2}, large: ${price + 5}, huge: ${price + 9} };
  return sizes.map((size, position) => ({
    name: \`${name}, \${size}\`,
    amount: position + 1,
    price: prices[size] ?? 0,
  }));
}`;

/** A provider tells what it read; so does the script, in tokens of four characters. */
function scripted(keeping: Keeping, size: Size): (request: ModelRequest, count: number) => Step {
  const steps = stepsOf(keeping, size);
  return ({ body }, count) => ({
    ...(steps[count - 1] ?? steps.at(-1)!),
    usage: { input: Math.ceil(JSON.stringify(body).length / 4), output: 20 },
  });
}

/** Real pi, alone or with tildone, asked by its model over loopback. */
export async function askedByPi(keeping: Keeping, size = TWENTY): Promise<readonly ModelRequest[]> {
  const { context } = size;
  await using box = await openSandbox({
    script: scripted(keeping, size),
    bare: keeping === "none",
    ...(context && { env: { TILDONE_CONTEXT: context } }),
  });
  layOut(box.cwd, size);
  const { code, err } = await box.run("-p", askedFor(size));
  if (code !== 0) throw new Error(`pi exited with ${code}: ${err}`);
  return box.model.requests;
}

/** The real `tildone run`. */
export async function askedByRun(keeping: Keeping, size = TWENTY): Promise<readonly ModelRequest[]> {
  await using place = aPlace();
  layOut(place.project, size);
  const model = await startScriptedModel(scripted(keeping, size));
  // A context that is never compacted, as in `askedByPi`: what is measured is what the conversation grows to.
  const models = [{ id: "m", contextWindow: 1_000_000, maxTokens: 4000 }];
  const provider = { api: "openai-completions", apiKey: "x", baseUrl: `${model.url}/v1`, models };
  mkdirSync(place.pi, { recursive: true });
  writeFileSync(join(place.pi, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
  const flags = ["--model", "scripted/m", "--approval", "yolo"];
  const fresh = size.context ? ["--context", size.context] : [];
  const { code, out, err } = await place.tildone("run", askedFor(size), ...flags, ...fresh);
  await model.close();
  if (code !== 0) throw new Error(`tildone run exited with ${code}: ${out}${err}`);
  return model.requests;
}
