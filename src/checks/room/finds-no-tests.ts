import { matchesAny } from "../../core/glob/index.ts";

const NO_TESTS = /no tests? (?:files? )?(?:found|ran|run|collected)|no test files|collected 0 items(?! \/ \d)/i;
const MISSING =
  /did not match any|could ?n[o']t (?:find|open)|cannot (?:find module|open|access)|no such file|not found/i;

/** Whether a check says that there is no test for it to run, or that one is missing which is new. */
export function findsNoTests(output: string, newTests: readonly string[]): boolean {
  return output.split("\n").some((line) => NO_TESTS.test(line) || (MISSING.test(line) && namesOneOf(newTests, line)));
}

/** By its path, or by a glob that fits it. */
function namesOneOf(paths: readonly string[], line: string): boolean {
  const words = line.split(/[\s'"`:,()]+/).filter((word) => /[./*]/.test(word) && /\w/.test(word));
  return paths.some((path) =>
    words.some((word) => word === path || word.endsWith(`/${path}`) || (/[*?]/.test(word) && matchesAny([word])(path))),
  );
}
