import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Vitest gives up after a second where nothing else is said: too soon on a busy machine. */
test("a test that waits says for how long, or asks `eventually`", () => {
  const files = globSync("{src,test,tools,bench,examples}/**/*.ts", { cwd: root });
  const impatient = files.filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const waits = text.match(/vi\.wait(?:For|Until)\(/g)?.length ?? 0;
    return waits > (text.match(/timeout:/g)?.length ?? 0);
  });
  expect(impatient).toEqual([]);
});
