import { expect, test } from "vitest";
import type { Given } from "./command.ts";
import { launchOf, rememberedFlags } from "./run-task.ts";

const given = (options: Given["options"]): Given => ({ options, words: [] });

test.each([
  ["--fresh", { fresh: true }, {}, { context: "fresh" }],
  ["nothing, after --fresh", {}, { context: "fresh" }, { context: "fresh" }],
  ["--context same, after --fresh", { context: "same" }, { context: "fresh" }, { context: "same" }],
  [
    "--context-every, after --context auto",
    { "context-every": "3" },
    { context: "auto" },
    { context: "auto", "context-every": "3" },
  ],
  ["nothing", {}, {}, {}],
] as const)("the next --resume begins its todos as %s said", (_said, options, before, flags) => {
  expect(rememberedFlags(launchOf(given(options), undefined, before))).toEqual(flags);
});
