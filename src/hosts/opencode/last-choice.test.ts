import { expect, test } from "vitest";
import { lastChoiceIn } from "./last-choice.ts";
import { type Fields, fieldsOf } from "./payload.ts";

const MODEL = { providerID: "p", modelID: "m" };

test.each<readonly [string, Fields, Fields, object]>([
  [
    "a prompt",
    { agent: "build", model: { ...MODEL, variant: "high" } },
    { ...MODEL, variant: "high" },
    { agent: "build", model: MODEL, variant: "high" },
  ],
  [
    "a prompt with its variant beside the agent",
    { agent: "build", variant: "low" },
    MODEL,
    { agent: "build", model: MODEL, variant: "low" },
  ],
  ["an empty session", {}, {}, {}],
  ["half of a model is none", { agent: "plan" }, { providerID: "p" }, { agent: "plan" }],
])("%s", (_who, info, model, choice) => expect(lastChoiceIn(info, model)).toEqual(choice));

test("an answer has all of it in one place", () => {
  const info = fieldsOf({ agent: "build", ...MODEL, variant: "high", mode: "build" });
  expect(lastChoiceIn(info, info)).toEqual({ agent: "build", model: MODEL, variant: "high" });
});
