import type { Mutant } from "./mutate.ts";

/** Mistakes that are none: what they change cannot be seen. Named by the line they stand on. */
const EQUIVALENT: readonly Equivalent[] = [
  {
    file: "react/draft.ts",
    on: "this.run = evolve(this.run, { ...added, seq: 0 });",
    changes: ["0 -> 1"],
    why: "the fold does not read where in the log an event stands",
  },
  {
    file: "react/handle-answer.ts",
    on: 'const after = evolve(draft.run, { seq: 0, at: now, by: "host", v: 1, event });',
    changes: ["0 -> 1", "1 -> 2"],
    why: "the fold reads neither the place nor the version of this event, which is only tried out",
  },
  {
    file: "run/birth.ts",
    on: "began: 0,",
    changes: ["0 -> 1"],
    why: "the first event of every run says when it began",
  },
];

interface Equivalent {
  readonly file: string;
  readonly on: string;
  readonly changes: readonly string[];
  readonly why: string;
}

export const isEquivalent = ({ file, on, before, after }: Mutant): boolean =>
  EQUIVALENT.some((row) => file.endsWith(row.file) && row.on === on && row.changes.includes(`${before} -> ${after}`));
