import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync } from "vite";
import type { Mutant } from "./mutate.ts";

/**
 * Those that the compiler refuses. Such a mistake is never unseen, so they say nothing about the tests. Many are compiled
 * at once, one in each statement of a file; an error inside that statement is laid at its door, if it comes twice, each
 * time in other company.
 */
export function refusedByCompiler(
  root: string,
  sources: Readonly<Record<string, string>>,
  mutants: readonly Mutant[],
): ReadonlySet<Mutant> {
  const copy = mkdtempSync(join(tmpdir(), "tildone-mutants-"));
  try {
    cpSync(join(root, "src/core"), join(copy, "src/core"), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
    cpSync(join(root, "package.json"), join(copy, "package.json")); // it says what kind of modules they are
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const options = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };
    const config = { extends: join(root, "tsconfig.core.json"), compilerOptions: options, include: ["src/core"] };
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config));
    if (errorsIn(copy).length > 0) throw new Error("the sources do not compile without any mistake");
    const suspects = refusedTogether(copy, sources, mutants);
    return new Set(refusedTogether(copy, sources, suspects.toReversed()));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A statement at the top of a file, which is compiled with one mistake at a time. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly mutants: Mutant[];
}

function refusedTogether(
  copy: string,
  sources: Readonly<Record<string, string>>,
  mutants: readonly Mutant[],
): readonly Mutant[] {
  const files = Map.groupBy(mutants, ({ file }) => file);
  const places = new Map([...files].map(([file, of]) => [file, placesOf(file, sources[file]!, of)]));
  const rounds = Math.max(0, ...[...places.values()].flat().map((place) => place.mutants.length));
  const refused: Mutant[] = [];
  for (let round = 0; round < rounds; round++) {
    const planted = new Map([...places].map(([file, of]) => [file, plant(sources[file]!, of, round)]));
    for (const [file, { text }] of planted) writeFileSync(join(copy, file), text);
    for (const { file, line, column } of errorsIn(copy)) {
      const found = planted.get(file);
      const mutant = found?.at(offsetOf(found.text, line, column));
      if (mutant && !refused.includes(mutant)) refused.push(mutant);
    }
  }
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(copy, file), text);
  return refused;
}

function placesOf(file: string, source: string, mutants: readonly Mutant[]): readonly Place[] {
  return parseSync(file, source).program.body.map(({ start, end }) => ({
    start,
    end,
    mutants: mutants.filter(({ change }) => change.start >= start && change.end <= end),
  }));
}

/** The file with the n-th mistake of each place in it, and whose mistake stands around an offset. */
function plant(source: string, places: readonly Place[], nth: number) {
  const spans: { readonly end: number; readonly mutant: Mutant | undefined }[] = [];
  let text = "";
  let at = 0;
  for (const { end, mutants } of places) {
    const mutant = mutants[nth];
    if (mutant) {
      text += source.slice(at, mutant.change.start) + mutant.change.text;
      at = mutant.change.end;
    }
    text += source.slice(at, end);
    at = end;
    spans.push({ end: text.length, mutant });
  }
  return { text: text + source.slice(at), at: (offset: number) => spans.find(({ end }) => offset <= end)?.mutant };
}

interface CompileError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function errorsIn(copy: string): readonly CompileError[] {
  let output = "";
  try {
    execFileSync(join(copy, "node_modules/.bin/tsc"), ["-p", "tsconfig.json", "--pretty", "false"], { cwd: copy });
  } catch (error) {
    output = String((error as { stdout?: Buffer }).stdout ?? error);
  }
  return [...output.matchAll(/^(src\S+)\((\d+),(\d+)\): error/gm)].map(([, file, line, column]) => ({
    file: file!,
    line: Number(line),
    column: Number(column),
  }));
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}
