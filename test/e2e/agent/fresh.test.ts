import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { startScriptedModel } from "../../../src/testing/index.ts";
import { aPlace } from "./tildone.ts";

const TODOS = ["write a.txt", "write b.txt", "write c.txt"];

/** Lists and works in one turn; each todo is completed with a note, beside the work of the todo. */
const STEPS: readonly Step[] = [
  { calls: [["write_todos", { mode: "replace", todos: TODOS.map((text) => ({ text })) }]] },
  ...TODOS.flatMap((_, at) => workOn(at)),
  { text: "All three are written." },
];

function workOn(at: number): readonly Step[] {
  return [
    { calls: [["edit_todos", { action: "start", indices: [at] }]] },
    {
      calls: [
        ["bash", { command: `echo secret-${at} > ${at}.txt; cat ${at}.txt` }],
        ["edit_todos", { action: "complete", indices: [at], note: `file ${at}.txt is written` }],
      ],
    },
  ];
}

const textOf = ({ messages }: ModelRequest): string => messages.map(({ text }) => text).join("\n");

test("with --fresh a request holds the briefing and the todo, and nothing of the todos before", async () => {
  await using place = aPlace();
  const model = await startScriptedModel(STEPS);
  const flags = ["--base-url", `${model.url}/v1`, "--model", "scripted", "--approval", "yolo"];
  const { code, out, err } = await place.tildone("run", "write three files", "--fresh", ...flags);
  await model.close();
  expect(code, out + err).toBe(0);
  const [third] = model.requests.slice(-3).map(textOf);
  expect(third).toMatch(/^\[tildone\] A new conversation continues this run/);
  expect(third).toContain("> write three files");
  expect(third).toContain("2/3 done, 1 remaining");
  expect(third).toContain("> [0] file 0.txt is written\n> [1] file 1.txt is written");
  expect(third).not.toMatch(/secret-|Started|write_todos/);
  const why = await place.tildone("why");
  expect(why.out.replace(/\s+/g, " ")).toContain("`context` is `fresh`, and [1] ended");
});

test("a resumed run remembers --fresh", async () => {
  await using place = aPlace();
  const model = await startScriptedModel([...STEPS.slice(0, 3), ...Array.from({ length: 9 }, () => ({ text: "Hm." }))]);
  const flags = ["--base-url", `${model.url}/v1`, "--model", "scripted", "--approval", "yolo"];
  const stopped = await place.tildone("run", "write three files", "--fresh", ...flags);
  expect(stopped.code, stopped.out + stopped.err).toBe(3);
  model.play([...workOn(1), ...workOn(2), { text: "All three are written." }]);
  const { code, out, err } = await place.tildone("run", "--resume", "--approval", "yolo");
  await model.close();
  expect(code, out + err).toBe(0);
  const third = textOf(model.requests.at(-3)!);
  expect(third).toMatch(/^\[tildone\] A new conversation continues this run/);
  expect(third).toContain("2/3 done, 1 remaining");
  expect(third).not.toContain("secret-");
});

test("--fresh and --context are one setting, and a wrong word is refused", async () => {
  await using place = aPlace();
  const both = await place.tildone("run", "x", "--fresh", "--context", "auto");
  expect([both.code, both.err]).toEqual([2, expect.stringContaining("--fresh is --context fresh: give one of them.")]);
  const wrong = await place.tildone("run", "x", "--context", "new");
  expect([wrong.code, wrong.err + wrong.out]).toEqual([2, expect.stringMatching(/context.*same.*fresh.*auto/s)]);
});
