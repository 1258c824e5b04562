import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Call, type ModelRequest, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { workOn, writeList } from "../pi/models.ts";
import { aCommandLine } from "./command-line.ts";

const LONG = { timeout: 60_000 };
const model = (url: string) => ["--base-url", `${url}/v1`, "--model", "scripted", "--approval", "yolo"];
const inTurn =
  (...steps: readonly Step[]) =>
  (_request: ModelRequest, count: number): Step =>
    steps[count - 1] ?? { text: "ok" };
const complete: Call = ["edit_todos", { action: "complete", indices: [0] }];
const proposed: Call = ["write_todos", { mode: "replace", todos: [{ text: "make a", check: "test -f a" }] }];

async function finished(line: ReturnType<typeof aCommandLine>, ...steps: readonly Step[]) {
  const provider = await startScriptedModel(inTurn(...steps));
  const ended = await line.type(["run", "x", ...model(provider.url)]);
  await provider.close();
  return ended;
}
const verdict = async (line: ReturnType<typeof aCommandLine>) => (await line.type(["report"])).out.split("\n")[0]!;

test("work that no check proves is accepted after the end, and the report says so", LONG, async () => {
  using line = aCommandLine();
  await finished(line, { calls: [writeList(1)] }, { calls: workOn(0) });
  expect(await verdict(line)).toMatch(/done_?.*unproven/);
  const accepted = await line.type(["accept"]);
  expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining("Result now: Finished, and you accepted") });
  const report = (await line.type(["report"])).out;
  expect(report.split("\n")[0]).toMatch(/done.*accepted/);
  expect(report).toContain("Evaluated again after you accepted it; before that it was done");
  expect((await line.type(["accept"])).out).not.toContain("Evaluated");
});

test("a run in doubt is accepted without any process that drives it", LONG, async () => {
  using line = aCommandLine();
  const ended = await finished(line, { calls: [writeList(1)] }, { calls: [complete] });
  expect(ended.code).toBe(5);
  expect((await line.type(["accept"])).out).toContain("Result now");
  expect(await verdict(line)).toMatch(/done.*accepted/);
});

test.each([
  ["passes", true, 0, /Result now: Done and proven/],
  ["fails", false, 1, /what failed is open again\.\nContinue with: tildone run --resume/],
])("proposed checks run after the end, and one that %s says so", LONG, async (_what, isThere, code, says) => {
  using line = aCommandLine();
  await finished(
    line,
    { calls: [proposed] },
    { calls: [["write", { path: "b", content: "b" }]] },
    { calls: [complete] },
  );
  if (isThere) writeFileSync(join(line.project, "a"), "a");
  const ran = await line.type(["accept", "--checks"]);
  expect({ code: ran.code, out: ran.out }, ran.err).toMatchObject({ code, out: expect.stringMatching(says) });
});

test("no list and a check: the check judges the work, and an agent that does nothing", LONG, async () => {
  using line = aCommandLine();
  const provider = await startScriptedModel(inTurn({ calls: [["write", { path: "a", content: "a" }]] }));
  const done = await line.type(["run", "x", "--check", "test -f a", ...model(provider.url)]);
  expect([done.code, done.out]).toEqual([0, expect.stringContaining("Done and proven")]);
  expect(provider.requests.length).toBe(2);
  provider.play(() => ({ text: "All done!" }));
  const lazy = await line.type(["run", "y", "--check", "test -f never", ...model(provider.url)]);
  await provider.close();
  expect([lazy.code, lazy.out]).toEqual([3, expect.stringContaining("0/1 done")]);
});
