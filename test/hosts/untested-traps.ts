import type { Trap } from "./traps.ts";

/** A test as a run of the runner saw it. */
export interface RanTest {
  /** Its own, and those of the groups it stands in. */
  readonly names: readonly string[];
  readonly passed: boolean;
}

/** What a whole run of the files below `folder` should have shown, and did not: each trap with the tests that did not pass. */
export function untestedTraps(traps: readonly Trap[], folder: string, ran: readonly RanTest[]): readonly string[] {
  return traps.flatMap(({ trap, tests }) =>
    tests
      .map((test) => /^(\S+): (.*)$/.exec(test) ?? [])
      .filter(([, file = ""]) => file.startsWith(folder))
      .filter(([, , name = ""]) => !ran.some(({ names, passed }) => passed && names.some((own) => matches(own, name))))
      .map(([, file, name]) => `${trap} No test passed that is named "${name}" (${file}).`),
  );
}

/** A name may stop before its first parameter, and has a value where the table's has `%s`. */
function matches(full: string, template: string): boolean {
  const pattern = template.split(/%[a-z]|\$[\w.]+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}`, "s").test(full);
}
