import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PERSONAS, type Persona } from "../../src/testing/index.ts";
import { type Cell, canFinish, fewestRequests, type Ran, type Verdict, verdict } from "./cell.ts";
import type { Cost } from "./costs.ts";

/** Everything that was measured, raw; tables and plots are made from it. */
export interface Results {
  readonly at: string;
  readonly machine: { readonly node: string; readonly platform: string; readonly arch: string; readonly cpus: number };
  /** Systems in their order, with the version that was measured and the host they belong to. */
  readonly systems: Readonly<Record<string, { readonly version: string; readonly family: string }>>;
  readonly rows: readonly ResultRow[];
  /** Time and memory of a few systems, where they were measured. */
  readonly costs?: readonly Cost[];
}

export interface ResultRow {
  readonly persona: string;
  readonly kind: Persona["kind"];
  readonly ends: string;
  /** Only where it can be finished. */
  readonly fewestRequests?: number;
  readonly cells: Readonly<Record<string, ResultCell>>;
}

export type ResultCell = Cell & {
  readonly verdict: Verdict;
  /** What each play came to, the oldest first: a system that is measured twice should do the same twice. */
  readonly plays: readonly Play[];
};

export interface Play extends Partial<Pick<Ran, "reason" | "requests">> {
  readonly verdict: Verdict;
  /** How busy the machine was: the load of the last minute. */
  readonly load: number;
}

export const cellOf = (rows: readonly ResultRow[], persona: string, system: string): ResultCell | undefined =>
  rows.find((row) => row.persona === persona)?.cells[system];

/** The row with one more play of a cell. */
export function withPlay(
  rows: readonly ResultRow[],
  persona: Persona,
  system: string,
  cell: Cell,
  load: number,
): readonly ResultRow[] {
  const judged = verdict(persona, cell);
  const words = cell.status === "ran" ? { reason: cell.reason, requests: cell.requests } : {};
  const plays = [...(cellOf(rows, persona.name, system)?.plays ?? []), { verdict: judged, load, ...words }];
  return withCells(rows, persona, (cells) => ({ ...cells, [system]: { ...cell, verdict: judged, plays } }));
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
    ...(canFinish(persona) && { fewestRequests: fewestRequests(persona) }),
    cells: change(old?.cells ?? {}),
  };
  return [...rows.filter(({ persona: name }) => name !== persona.name), row].sort(byPersona);
}

const places = new Map(PERSONAS.map(({ name }, at) => [name, at]));
const byPersona = (a: ResultRow, b: ResultRow): number => placeOf(a) - placeOf(b);
const placeOf = ({ persona }: ResultRow): number => places.get(persona) ?? places.size;

/** Verdicts of one cell that are not the same. */
export const differing = ({ plays }: ResultCell): readonly Verdict[] => {
  const verdicts = [...new Set(plays.map(({ verdict: each }) => each))];
  return verdicts.length > 1 ? verdicts : [];
};

/** Undefined: nothing was measured yet. */
export function readResults(path: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Results;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whole or not at all: a run that is interrupted keeps what it has. */
export function writeResults(path: string, results: Results): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}
