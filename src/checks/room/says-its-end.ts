/** What runners print when all tests ran, whether they passed or not. */
const ENDS: readonly (readonly [runs: (words: readonly string[]) => boolean, says: RegExp])[] = [
  [runs("pytest", "py.test"), /\b\d+ (?:passed|failed|skipped|deselected|errors?|xfailed|xpassed)\b.* in [\d.]+ ?s/],
  [(words) => words[0] === "node" && words.includes("--test"), /^(?:#|ℹ) pass \d+/m],
  [runs("vitest"), /^\s*Tests\s.*\d/m],
  [runs("jest"), /^Tests:\s.*\d/m],
  [runs("mocha"), /\b\d+ passing\b/],
  [runs("unittest"), /^Ran \d+ tests?\b/m],
];

/** Whether a check leads to a runner of tests that we know. */
export const runsTests = (commands: readonly (readonly string[])[]): boolean =>
  ENDS.some(([isRun]) => commands.some(isRun));

/** Whether a runner that a check runs did not say how its tests ended: something may have ended it before. */
export function lacksItsEnd(commands: readonly (readonly string[])[], output: string): boolean {
  if (ENDS.some(([isRun, says]) => commands.some(isRun) && !says.test(output))) return true;
  return count(output, /^running \d+ tests?$/gm) > count(output, /^test result: /gm); // cargo test, once per program
}

/** Files that Node's runner reports as one test: none was found in them, or they ended before one began. */
export const passedAsWhole = (output: string): readonly string[] =>
  [...output.matchAll(/^(?:ok \d+ - |✔ )(\S+\.[cm]?[jt]sx?)(?= \(|$)/gm)].map(([, path]) => path!);

function runs(...names: readonly string[]): (words: readonly string[]) => boolean {
  return (words) => {
    const program = words[0]?.replace(/^.*\//, "") ?? "";
    const module = /^python[\d.]*$/.test(program) ? words[words.indexOf("-m") + 1] : undefined;
    return names.includes(program) || (module !== undefined && names.includes(module));
  };
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;
