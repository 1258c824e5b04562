import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Mutant } from "./mutants.ts";

const root = resolve(import.meta.dirname, "../..");

/** A copy of the sources and of these tests with one bug in it. The text it replaces must stand there exactly once. */
export function plant({ name, file, find, replace }: Mutant, scratch: string, tests: readonly string[]): string {
  const copy = join(scratch, name.replaceAll(" ", "-"));
  for (const folder of ["src", "test/builders", ...tests])
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  cpSync(join(root, "package.json"), join(copy, "package.json"));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const path = join(copy, file);
  const pieces = readFileSync(path, "utf8").split(find);
  if (pieces.length !== 2)
    throw new Error(`${file} holds the text of the mutant "${name}" ${pieces.length - 1} times; it must be there once`);
  writeFileSync(path, pieces.join(replace));
  return copy;
}
