import type { TestProject } from "vitest/node";
import build from "../e2e/build.ts";
import { BINARIES, type Binary, type BinaryName, binaryOf } from "./binaries.ts";

/** Builds what is shipped and gets the real hosts; one that cannot be had is told with its reason, before and after the tests. */
export default function setup(project: TestProject): () => void {
  build();
  const names = Object.keys(BINARIES) as BinaryName[];
  const binaries = Object.fromEntries(names.map((name) => [name, binaryOf(name)])) as Record<BinaryName, Binary>;
  project.provide("binaries", binaries);
  const skipped = names.flatMap((name) => {
    const binary = binaries[name];
    return "skipped" in binary ? [`skipped: ${name}: ${binary.skipped}`] : [];
  });
  for (const line of skipped) console.error(line);
  return () => {
    for (const line of skipped) console.error(line);
  };
}

declare module "vitest" {
  export interface ProvidedContext {
    readonly binaries: Record<BinaryName, Binary>;
  }
}
