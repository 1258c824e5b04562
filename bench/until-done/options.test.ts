import { expect, test } from "vitest";
import { HELP, optionsOf } from "./options.ts";

test.each([
  [["--nope"], "Unknown option '--nope'"],
  [["--at-once", "none"], '--at-once is a number above 0, not "none".'],
  [["--longest", "0"], '--longest is a number above 0, not "0".'],
  [["--persona"], "argument missing"],
  [["twice"], "Unexpected argument 'twice'"],
])("%j is refused in a sentence", (args, why) => {
  const options = optionsOf(args);
  expect(options.ok ? "taken" : options.why).toContain(why);
});

test("the help names every option", () => {
  const options = optionsOf([]);
  const names = options.ok ? [...Object.keys(options.values), "persona", "only", "longest", "quiet"] : [];
  expect(names.filter((name) => name !== "help" && !HELP.includes(`--${name}`))).toEqual([]);
});
