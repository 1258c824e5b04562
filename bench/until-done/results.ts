import type { Persona } from "../../src/testing/index.ts";
import type { Cell } from "./cell.ts";
import type { Costs } from "./costs.ts";
import { PLAYED } from "./personas.ts";
import { type Due, requestsDue } from "./requests-due.ts";
import type { Source } from "./source.ts";
import { EACH_YARDSTICK, type Verdict, type Verdicts, verdictsOf, worst, type Yardstick } from "./verdict.ts";

/** Everything that was measured, raw; tables and plots are made from it. */
export interface Results {
  readonly run: RunHead;
  /** Systems in their order, with the version that was measured and the host they belong to. */
  readonly systems: Readonly<Record<string, SystemHead>>;
  readonly rows: readonly ResultRow[];
  /** Time and memory of a few systems, where they were measured. */
  readonly costs?: Costs;
}

export interface SystemHead {
  readonly version: string;
  readonly family: string;
  readonly isOurs?: true;
  readonly exitsForUs?: true;
}

/** One run of one state of the code: cells of another are never mixed in. */
export interface RunHead {
  readonly selection: "default" | "full" | "some";
  /** How many cells it has, and how often each is played. */
  readonly cells: number;
  readonly plays: number;
  readonly begun: string;
  /** Absent until every play is there. */
  readonly ended?: string;
  readonly source: Source;
  readonly machine: Machine;
}

export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
  readonly cpus: number;
}

export interface ResultRow {
  readonly persona: string;
  readonly kind: Persona["kind"];
  readonly ends: string;
  readonly due: Due;
  readonly cells: Readonly<Record<string, ResultCell>>;
}

/** What each play came to, the first one first: a system that is measured twice should do the same twice. */
export interface ResultCell {
  readonly plays: readonly [Play, ...Play[]];
}

export type Play = Cell & {
  readonly verdicts: Verdicts;
  /** How busy the machine was: the load of the last minute. */
  readonly load: number;
};

export const cellOf = (rows: readonly ResultRow[], persona: string, system: string): ResultCell | undefined =>
  rows.find((row) => row.persona === persona)?.cells[system];

/** A cell is judged by its worst play. */
export function worstPlay({ plays }: ResultCell, by: Yardstick): Play {
  const judged = worst(plays.map(({ verdicts }) => verdicts[by]));
  return plays.find(({ verdicts }) => verdicts[by] === judged)!;
}

/** Verdicts of one cell that are not the same each time, by whichever yardstick. */
export function differing({ plays }: ResultCell): readonly Verdict[] {
  const by = EACH_YARDSTICK.map((each) => [...new Set(plays.map(({ verdicts }) => verdicts[each]))]);
  return by.find((verdicts) => verdicts.length > 1) ?? [];
}

/** The rows with one more play of a cell. */
export function withPlay(
  rows: readonly ResultRow[],
  persona: Persona,
  system: string,
  cell: Cell,
  load: number,
): readonly ResultRow[] {
  const play: Play = { ...cell, verdicts: verdictsOf(persona, cell), load };
  const [first = play, ...others] = [...(cellOf(rows, persona.name, system)?.plays ?? []), play];
  return withCells(rows, persona, (cells) => ({ ...cells, [system]: { plays: [first, ...others] } }));
}

/** The rows without a cell: it is measured anew. */
export const withoutCell = (rows: readonly ResultRow[], persona: Persona, system: string): readonly ResultRow[] =>
  withCells(rows, persona, ({ [system]: _gone, ...cells }) => cells);

function withCells(
  rows: readonly ResultRow[],
  persona: Persona,
  change: (cells: ResultRow["cells"]) => ResultRow["cells"],
): readonly ResultRow[] {
  const old = rows.find((row) => row.persona === persona.name);
  const row: ResultRow = {
    persona: persona.name,
    kind: persona.kind,
    ends: persona.ends.reason,
    due: requestsDue(persona),
    cells: change(old?.cells ?? {}),
  };
  return [...rows.filter(({ persona: name }) => name !== persona.name), row].sort(byPersona);
}

const places = new Map(PLAYED.map(({ name }, at) => [name, at]));
const byPersona = (a: ResultRow, b: ResultRow): number => placeOf(a) - placeOf(b);
const placeOf = ({ persona }: ResultRow): number => places.get(persona) ?? places.size;
