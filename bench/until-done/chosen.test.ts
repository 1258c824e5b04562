import { expect, test } from "vitest";
import { personasOf } from "./chosen.ts";
import { settingsFor } from "./tildone.ts";

test("a new conversation for each todo is a setting of the systems with tildone, beside those of the persona", () => {
  const [persona] = personasOf({ type: "full" }).filter(({ limits }) => limits.attemptsPerTodo !== undefined);
  const choice = { type: "named", names: [persona!.name] } as const;
  const settings = (context?: "fresh") => JSON.parse(settingsFor(personasOf(choice, context)[0]!)).continuation;
  expect(settings()).toEqual({ attemptsPerTodo: persona!.limits.attemptsPerTodo });
  expect(settings("fresh")).toEqual({ attemptsPerTodo: persona!.limits.attemptsPerTodo, context: "fresh" });
});
