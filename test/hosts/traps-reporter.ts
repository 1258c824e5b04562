import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { KNOWN_TRAPS } from "./traps.ts";
import { untestedTraps } from "./untested-traps.ts";

/** A whole run fails where a trap has no test in it that passed. A run of some files or names says nothing about the others. */
export function trapsReporter(folder: string): Reporter {
  let runner: Vitest | undefined;
  return {
    onInit: (vitest) => {
      runner = vitest;
    },
    onTestRunEnd: async (modules, _errors, reason) => {
      if (!runner || reason === "interrupted" || !(await isWhole(runner, modules))) return;
      const untested = untestedTraps(KNOWN_TRAPS, folder, modules.flatMap(testsOf));
      if (untested.length === 0) return;
      console.error(["Known traps of hosts that no test showed:", ...untested].join("\n  "));
      process.exitCode = 1;
    },
  };
}

function testsOf(module: TestModule) {
  return [...module.children.allTests()].map((test) => ({
    names: [test.name, ...groupsOf(test)],
    passed: test.result().state === "passed",
  }));
}

function groupsOf({ parent }: Pick<TestCase, "parent">): readonly string[] {
  return parent.type === "suite" ? [parent.name, ...groupsOf(parent)] : [];
}

async function isWhole(runner: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  if (runner.config.testNamePattern !== undefined) return false;
  const all = await runner.globTestSpecifications();
  return all.length === modules.length;
}
