import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PI_COMMANDS } from "./pi-commands.ts";
import { unknownCommand } from "./unknown-command.ts";

test.each([
  ["a command that is there", "/hold now", undefined],
  ["words", "hold it", undefined],
  ["a path", "/usr/bin/env is missing", undefined],
  ["a slash alone", "/ is a slash", undefined],
  ["a misspelt one", "/hodl", "Did you mean /hold?"],
  ["one like nothing", "/xyzzyxyzzy now", "There is no command /xyzzyxyzzy. To send it"],
])("%s: %j", (_what, line, expected) => {
  const says = unknownCommand(line, ["hold", "todos"]);
  if (expected === undefined) expect(says).toBeUndefined();
  else expect(says).toContain(expected);
});

test("pi's own commands are those of the pi that is installed", () => {
  const file = new URL("./core/slash-commands.js", import.meta.resolve("@earendil-works/pi-coding-agent"));
  const names = [...readFileSync(file, "utf8").matchAll(/\{ name: "([^"]+)"/g)].map(([, name]) => name);
  expect(PI_COMMANDS).toEqual(names);
});
