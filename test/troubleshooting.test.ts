import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STOP } from "../src/core/reason/index.ts";

test("there is an entry for every reason to stop, and for no other", () => {
  const headings = [...readFileSync("docs/how-to/troubleshooting.md", "utf8").matchAll(/^## ([a-z_]+)$/gm)].map(
    ([, name]) => name,
  );
  expect(headings.sort()).toEqual(Object.keys(STOP).sort());
});
