import type { OwnedCheck } from "../../core/continuation/index.ts";
import { asBytes, type Snapshot } from "../snapshot/index.ts";
import { asBegun, type Case, type Outcome, tryPlan } from "./try-plan.ts";

/**
 * Which of the judge's files something else than the check changed while it ran. Compiled tests and reports that git ignores are written by
 * the check itself, and then it writes them on the project as it was, too, where none of the work runs.
 */
export async function disturbedFiles(
  given: Case,
  owned: OwnedCheck,
  { changed, by, needs }: Outcome,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (changed.length === 0 || !changed.every((path) => isIgnored(given.before, path))) return changed;
  const plan = { ...asBegun(given, by.plan), sealed: changed.map(asBytes) };
  const begun = await tryPlan(given, owned, plan, signal, { as: by.as, exactly: needs ?? "room" });
  if (!begun) return changed;
  const hasStopped = begun.end !== undefined && compiles(by.plan.commands);
  return changed.filter((path) => !begun.changed.includes(path) && !(hasStopped && OUTPUT.test(path)));
}

const isIgnored = ({ ignored, project }: Snapshot, path: string): boolean =>
  ignored.has(asBytes(path)) && !project.has(asBytes(path));

/** A check that compiles may fail before the work without having written what it compiles. */
const compiles = (commands: readonly (readonly string[])[]): boolean =>
  commands.some(
    (words) => words.some((word) => COMPILER.test(word.replace(/^.*\//, ""))) && !words.includes("--noEmit"),
  );

const COMPILER =
  /^(?:tsc|tsup|tsdown|swc|babel|esbuild|rollup|rolldown|webpack|vite|parcel|ncc|unbuild|cmake|ninja|meson|gradlew?|ant|dotnet|msbuild|mix|gulp|grunt)$/;
const OUTPUT = /(?:^|\/)(?:dist|build|out|output|lib|es|esm|cjs|bin|obj|_build|cmake-build[^/]*)\//;
