import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ModelRequest, type ScriptedModel, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { stopsAfterEachItem, writeList } from "../pi/models.ts";
import { layOutPlan } from "./hard-run.ts";
import { openTildone } from "./terminal.ts";
import { aPlace, linesOf, type Place } from "./tildone.ts";

const LONG = { timeout: 60_000 };
/** Of so large a context pi by itself keeps less than a fiftieth free. */
const WINDOW = 1_000_000;
const GROWTH = 40_000;

/** A provider that counts: each request is so much larger than the one before, and a summary makes it small again. */
function counting(answers: (request: ModelRequest) => Step) {
  const reported: number[] = [];
  let size = 0;
  const script = (request: ModelRequest): Step => {
    if (isSummary(request)) {
      size = 0;
      return { text: "Some items are done." };
    }
    size += GROWTH;
    reported.push(size);
    return { ...answers(request), usage: { input: size - 100, output: 100 } };
  };
  return { script, mostUsed: () => Math.max(...reported) / WINDOW };
}

const usersWords = (messages: ModelRequest["messages"]): string =>
  messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])).join("\n");
const isSummary = ({ tools }: ModelRequest): boolean => tools.length === 0;
const isFirstAfterSummary = (_request: ModelRequest, at: number, all: readonly ModelRequest[]): boolean =>
  at > 0 && isSummary(all[at - 1]!) && !isSummary(all[at]!);

function layOutModel(place: Place, { url }: ScriptedModel, settings: object = {}): readonly string[] {
  layOutPlan(place, settings);
  const models = [{ id: "m", contextWindow: WINDOW, maxTokens: 4000 }];
  const scripted = { api: "openai-completions", apiKey: "x", baseUrl: `${url}/v1`, models };
  writeFileSync(join(place.pi, "models.json"), JSON.stringify({ providers: { scripted } }));
  return ["--model", "scripted/m", "--approval", "auto-edit", "--json"];
}

test(
  "a run of many turns is compacted before nine tenths of the context, and the list is there afterwards",
  LONG,
  async () => {
    await using place = aPlace();
    const provider = counting(stopsAfterEachItem(25));
    const model = await startScriptedModel(provider.script);
    const { code, out } = await place.tildone("run", "make files", ...layOutModel(place, model));
    await model.close();
    expect({ code, reason: linesOf(out).result.reason }).toEqual({ code: 0, reason: "done_unproven" });
    const restored = model.requests.filter(isFirstAfterSummary);
    expect(restored.length).toBeGreaterThanOrEqual(2);
    for (const { messages } of restored) expect(usersWords(messages)).toMatch(/\[\d+\] item \d+/);
    expect(provider.mostUsed()).toBeLessThan(0.9);
  },
);

/** Works on and on in one turn, one file a request. */
function neverStops(files: number) {
  let written = 0;
  return (): Step => {
    if (written === 0) return { calls: [writeList(2), ["write", { path: `file-${++written}.txt`, content: "x" }]] };
    if (written < files) return { calls: [["write", { path: `file-${++written}.txt`, content: "x" }]] };
    if (written++ === files) return { calls: [["edit_todos", { action: "complete", indices: [0, 1] }]] };
    return { text: "Done." };
  };
}

test("one long turn is compacted in its middle, and the list is restored in every request after it", LONG, async () => {
  await using place = aPlace();
  const provider = counting(neverStops(30));
  const model = await startScriptedModel(provider.script);
  const { code, out } = await place.tildone("run", "make files", ...layOutModel(place, model));
  await model.close();
  expect({ code, reason: linesOf(out).result.reason }).toEqual({ code: 0, reason: "done_unproven" });
  const [restored] = model.requests.filter(isFirstAfterSummary);
  expect(usersWords(restored!.messages)).toMatch(/\[tildone\] Todos: 0\/2 done, 2 remaining/);
  expect(provider.mostUsed()).toBeLessThan(0.9);
});

test.each([
  ["many turns", () => stopsAfterEachItem(25)],
  ["one long turn", () => neverStops(40)],
])(
  "where compaction is switched off, a run of %s stops before nine tenths, and says why",
  LONG,
  async (_what, answers) => {
    await using place = aPlace();
    const provider = counting(answers());
    const model = await startScriptedModel(provider.script);
    const args = layOutModel(place, model, { compaction: { enabled: false } });
    const { code, out } = await place.tildone("run", "make files", ...args);
    const { result } = linesOf(out);
    expect({ code, reason: result.reason }).toEqual({ code: 6, reason: "context_full" });
    expect(result.says).toContain("the context window is more than 85 % full");
    expect(provider.mostUsed()).toBeLessThan(0.9);
    await model.close();
  },
);

test("where continuation is off, the context is pi's own affair", LONG, async () => {
  await using place = aPlace();
  const provider = counting(neverStops(22));
  const model = await startScriptedModel(provider.script);
  const { code } = await place.tildone("run", "make files", "--agent", "task", ...layOutModel(place, model));
  await model.close();
  expect({ code, isSummedUp: model.requests.some(isSummary) }).toEqual({ code: 5, isSummedUp: false });
  expect(provider.mostUsed()).toBeGreaterThan(0.9);
});

const AUTO_EDIT = { TILDONE_APPROVAL: "auto-edit" };

test.each([
  ["many turns", () => stopsAfterEachItem(22), 1, false],
  ["one long turn", () => neverStops(30), 2, true],
])(
  "in the terminal, %s: compacted before nine tenths of the context, and the work goes on",
  LONG,
  async (_what, answers, items, isCutShort) => {
    const provider = counting(answers());
    const given = { settings: { compaction: { keepRecentTokens: 200 } }, size: { columns: 80, rows: 500 } };
    await using open = await openTildone({ script: provider.script, words: "make files", env: AUTO_EDIT, ...given });
    const screen = await open.terminal.shows(/Finished, not proven/);
    expect(screen.includes("this turn is cut short")).toBe(isCutShort);
    const restored = open.box.model.requests.filter(isFirstAfterSummary);
    expect(restored.length).toBeGreaterThanOrEqual(1);
    for (const { messages } of restored)
      expect(usersWords(messages).match(/\[\d+\] item \d+/g)?.length).toBeGreaterThanOrEqual(items);
    expect(provider.mostUsed()).toBeLessThan(0.9);
  },
);

test("in the terminal, where compaction is switched off, it stops before nine tenths, and says why", LONG, async () => {
  const provider = counting(neverStops(40));
  const settings = { compaction: { enabled: false, keepRecentTokens: 200 } };
  await using open = await openTildone({ script: provider.script, words: "make files", env: AUTO_EDIT, settings });
  await open.terminal.shows(/context full/);
  expect(open.terminal.screen().replace(/\s+/g, " ")).toContain("the context window is more than 85 % full");
  expect(open.box.model.requests.some(isSummary)).toBe(false);
  expect(provider.mostUsed()).toBeLessThan(0.9);
});
