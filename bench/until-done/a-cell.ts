import type { Persona } from "../../src/testing/index.ts";
import type { NoEnd, Ran } from "./cell.ts";
import { PLAYED } from "./personas.ts";
import { type Results, withPlay } from "./results.ts";

export const personaNamed = (name: string): Persona => PLAYED.find((each) => each.name === name)!;

/** For tests: a cell in which a model was nudged once and finished. */
export const aCell = (given: Partial<Ran> = {}): Ran => ({
  status: "ran",
  finished: true,
  exit: 0,
  requests: 5,
  nudges: 1,
  added: 100,
  opening: 1000,
  sent: 5000,
  ms: 1,
  ...given,
});

/** Left open, and said so in both ways. */
export const aStop = (words: string, given: Partial<Ran> = {}): Ran =>
  aCell({ finished: false, shows: { state: "not done", words }, exit: 1, ...given });

export const NO_END: NoEnd = {
  status: "no end",
  afterMs: 90_000,
  still: "rests",
  finished: false,
  requests: 3,
  nudges: 0,
};

export type Placed = readonly [persona: string, system: string, cell: Parameters<typeof withPlay>[3]];

/** Two systems of one host, ours and theirs; each cell that is named again is played again. */
export const someResults = (cells: readonly Placed[], run: Partial<Results["run"]> = {}): Results => ({
  run: {
    selection: "default",
    cells: new Set(cells.map(([persona, system]) => `${persona} ${system}`)).size,
    plays: 1,
    begun: "2030-01-01T10:00:00.000Z",
    ended: "2030-01-01T10:09:00.000Z",
    source: { commit: "c0ffee" },
    machine: { node: "v24", platform: "linux", arch: "x64", cpus: 2 },
    ...run,
  },
  systems: {
    ours: { version: "1", family: "a", isOurs: true, exitsForUs: true },
    theirs: { version: "2", family: "a" },
  },
  rows: cells.reduce(
    (rows, [name, system, cell]) => withPlay(rows, personaNamed(name), system, cell, 1),
    [] as Results["rows"],
  ),
});
