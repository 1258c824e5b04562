// The example of docs/how-to/workflows.md, as a reader would copy it: it loads, it draws as shown, and it runs as told.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { currentPhase } from "../src/core/workflow/index.ts";
import { aReceipt, history } from "../src/testing/index.ts";
import { drawWorkflow, findWorkflow } from "../src/workflows/index.ts";
import { aDirectory, load, told } from "./builders/workflow-files.ts";

const page = readFileSync(new URL("../docs/how-to/workflows.md", import.meta.url), "utf8");
const files = Object.fromEntries(
  [...page.matchAll(/^`([^`\n]+\.(?:yaml|md))`:\n\n```\w+\n([\s\S]*?)\n```$/gm)].map(([, name, text]) => [
    name!,
    `${text}\n`,
  ]),
);
const drawing = /```text\n([\s\S]*?)\n```/.exec(page)?.[1];

async function hotfix() {
  const directory = aDirectory(files);
  const library = await load(directory);
  expect(told(library, directory)).toEqual([]);
  const found = findWorkflow(library, "hotfix");
  if (found.status !== "found") throw new Error(found.message);
  return found.start;
}

test("the example has six files, is sound, and draws as the page shows", async () => {
  expect(Object.keys(files)).toHaveLength(6);
  expect(drawWorkflow((await hotfix()).forest)).toBe(drawing);
});

test("it runs: found, fixed, sent back by the proof, proven, handed over", async () => {
  const start = { ...(await hotfix()), description: "it crashes", taskId: "wf-1", whenActive: "refuse" } as const;
  const run = history().tell({ type: "workflow.start", start, workspace: "broken" }).turn("human").works();
  const step = (action: "next" | "loop", workspace: string) =>
    run.tell({ type: "workflow.step", action, by: "model", workspace });
  const at = () => currentPhase(run.run.plan.workflow)?.phase.id ?? run.run.plan.workflow?.status;
  const code = () => (run.reply.type === "refused" ? run.reply.refusal.code : run.reply.type);

  step("next", "changed too early");
  expect([at(), code()]).toEqual(["find", "read_only_phase_changed"]);
  step("next", "broken");
  expect([at(), run.run.plan.todos.length]).toEqual(["fix", 2]);
  step("next", "fixed");
  expect(code()).toBe("phase_todos_open");
  run.completes(0, 1);
  step("next", "fixed");
  step("loop", "fixed");
  expect(at()).toBe("fix");
  run.completes(0, 1);
  step("next", "mended better");
  step("next", "mended better");
  run.checked(aReceipt("phase:prove", "npm test", { status: "failed", tail: "1 failing", workspace: "mended better" }));
  expect([at(), code()]).toEqual(["prove", "phase_check_failed"]);
  step("next", "mended better");
  run.checked(aReceipt("phase:prove", "npm test", { workspace: "mended better" }));
  expect(at()).toBe("hand-over");
  step("next", "mended better");
  expect(at()).toBe("finished");
});
