import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PERSONAS, type Persona } from "../../src/testing/index.ts";
import { type Cell, canFinish, fewestRequests, type Verdict, verdict } from "./cell.ts";

/** Everything that was measured, raw; tables and plots are made from it. */
export interface Results {
  readonly at: string;
  readonly machine: { readonly node: string; readonly platform: string; readonly arch: string; readonly cpus: number };
  /** Systems in their order, with the version that was measured. */
  readonly systems: Readonly<Record<string, string>>;
  readonly rows: readonly ResultRow[];
}

export interface ResultRow {
  readonly persona: string;
  readonly kind: Persona["kind"];
  readonly ends: string;
  /** Only where it can be finished. */
  readonly fewestRequests?: number;
  readonly cells: Readonly<Record<string, Cell & { readonly verdict: Verdict }>>;
}

/** The row with one more cell, or with a newer one. */
export function withCell(
  rows: readonly ResultRow[],
  persona: Persona,
  system: string,
  cell: Cell,
): readonly ResultRow[] {
  const old = rows.find((row) => row.persona === persona.name);
  const row: ResultRow = {
    persona: persona.name,
    kind: persona.kind,
    ends: persona.ends.reason,
    ...(canFinish(persona) && { fewestRequests: fewestRequests(persona) }),
    cells: { ...old?.cells, [system]: { ...cell, verdict: verdict(persona, cell) } },
  };
  return [...rows.filter(({ persona: name }) => name !== persona.name), row].sort(byPersona);
}

const places = new Map(PERSONAS.map(({ name }, at) => [name, at]));
const byPersona = (a: ResultRow, b: ResultRow): number => placeOf(a) - placeOf(b);
const placeOf = ({ persona }: ResultRow): number => places.get(persona) ?? places.size;

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
