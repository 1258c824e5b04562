import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Call, ModelRequest, Step } from "../src/testing/index.ts";
import { startScriptedModel } from "../src/testing/index.ts";
import { aPlace } from "../test/e2e/agent/tildone.ts";
import { openSandbox } from "../test/e2e/pi/sandbox.ts";

const TODOS = 20;

/** How a model keeps its list beside the work: not at all, in the same requests as the work, or in requests of its own. */
export type Keeping = "none" | "batched" | "two calls a todo" | "one call a step";

/**
 * One conversation about twenty todos: each reads a file, edits it and tests it. What the model does is a fixed script, the same for
 * every program: only what the program sends differs.
 */
export function stepsOf(keeping: Keeping): readonly Step[] {
  const parts = Array.from({ length: TODOS }, (_, at) => at);
  return [...parts.flatMap((at) => KEPT[keeping](at)), { text: "All twenty parts work." }];
}

const KEPT: Record<Keeping, (at: number) => readonly Step[]> = {
  none: (at) => [{ calls: [read(at)] }, { calls: [edit(at)] }, { calls: [test(at)] }],
  batched: (at) => [
    { calls: [...(at === 0 ? [list, start(0)] : []), read(at)] },
    { calls: [edit(at)] },
    { calls: [test(at), complete(at, at + 1)] },
  ],
  "two calls a todo": (at) => [
    { calls: [...(at === 0 ? [list] : []), start(at), read(at)] },
    { calls: [edit(at)] },
    { calls: [test(at), complete(at)] },
  ],
  "one call a step": (at) => [
    ...(at === 0 ? [{ calls: [list] }, { calls: [start(0)] }] : []),
    { calls: [read(at)] },
    { calls: [edit(at)] },
    { calls: [test(at)] },
    { calls: [complete(at, at + 1)] },
  ],
};

const textOf = (at: number): string => `Make part ${at} return the sum with tax, and test it`;
const list: Call = [
  "write_todos",
  { mode: "replace", todos: Array.from({ length: TODOS }, (_, at) => ({ text: textOf(at) })) },
];
const start = (at: number): Call => ["edit_todos", { action: "start", indices: [at] }];
const complete = (at: number, next = TODOS): Call => [
  "edit_todos",
  { action: "complete", indices: [at], ...(next < TODOS && { start: [next] }) },
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

export const ASKED = `Do these, one after the other:\n${Array.from({ length: TODOS }, (_, at) => `- ${textOf(at)}`).join("\n")}`;

/** A file of some 150 lines and a test that prints 48: about 1,800 tokens a todo, which is little for real work. */
export function layOut(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < TODOS; at++) writeFileSync(join(folder, `part-${at}.js`), partOf(at));
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

/** Real pi, alone or with tildone, asked by its model over loopback. */
export async function askedByPi(keeping: Keeping): Promise<readonly ModelRequest[]> {
  await using box = await openSandbox({ script: stepsOf(keeping), bare: keeping === "none" });
  layOut(box.cwd);
  const { code, err } = await box.run("-p", ASKED);
  if (code !== 0) throw new Error(`pi exited with ${code}: ${err}`);
  return box.model.requests;
}

/** The real \`tildone run\`. */
export async function askedByRun(keeping: Keeping): Promise<readonly ModelRequest[]> {
  await using place = aPlace();
  layOut(place.project);
  const model = await startScriptedModel(stepsOf(keeping));
  const flags = ["--base-url", `${model.url}/v1`, "--model", "scripted", "--approval", "yolo"];
  const { code, out, err } = await place.tildone("run", ASKED, ...flags);
  await model.close();
  if (code !== 0) throw new Error(`tildone run exited with ${code}: ${out}${err}`);
  return model.requests;
}
