import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import type { Persona } from "../../src/testing/index.ts";
import type { Cell, System, Terms, Transcript } from "./cell.ts";
import { cellOf, differing, type ResultCell, type ResultRow, withoutCell, withPlay } from "./results.ts";
import { shown } from "./table.ts";

export interface Wanted {
  readonly tasks: readonly Task[];
  /** How many plays each cell should have at the end. */
  readonly plays: number;
  /** `anew`: what was measured before is forgotten. `missing`: what was measured stays, and only the rest is played. */
  readonly what: "anew" | "missing";
  readonly atOnce: number;
  readonly terms: Omit<Terms, "keep">;
  /** Where it is kept what the model was asked, and in which cells: in all, or in those that are not good. */
  readonly transcripts: { readonly folder: string; readonly of: "all" | "faults" };
  /** Called after every play, with what came of it. */
  readonly onPlay: (rows: readonly ResultRow[], line: string) => void;
}

export interface Task {
  readonly persona: Persona;
  readonly system: System;
}

/** Plays what is wanted, several at once, and tells each cell as it comes. */
export async function runCells(before: readonly ResultRow[], wanted: Wanted): Promise<readonly ResultRow[]> {
  const { tasks, plays, what, atOnce, terms, transcripts, onPlay } = wanted;
  const find = (rows: readonly ResultRow[], { persona, system }: Task) => cellOf(rows, persona.name, system.name);
  let rows = tasks
    .filter((task) => what === "anew" || isDisturbed(find(before, task)))
    .reduce((kept, { persona, system }) => withoutCell(kept, persona, system.name), before);
  const queue = Array.from({ length: plays }, (_, round) =>
    tasks.filter((task) => (find(rows, task)?.plays.length ?? 0) <= round),
  ).flat();
  const all = queue.length;
  const begun = performance.now();
  let played = 0;
  const work = async (): Promise<void> => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const { persona, system } = task;
      let transcript: Transcript | undefined;
      const keep: Terms["keep"] = (kept) => {
        transcript = kept;
      };
      const cell = await playOf(task, { ...terms, keep });
      rows = withPlay(rows, persona, system.name, cell, round(loadavg()[0] ?? 0));
      const news = find(rows, task)!;
      const isKept = transcripts.of === "all" || news.verdict !== "good";
      if (isKept && transcript) writeTranscript(transcripts.folder, task, transcript);
      const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
      onPlay(rows, `${++played}/${all} ${minutes} min ${persona.name} · ${system.name}: ${told(news)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return rows;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** It could not be run, or took so long on a machine so busy that this may have been the reason. */
function isDisturbed(cell: ResultCell | undefined): boolean {
  if (cell?.status === "no end") return cell.plays.some(({ load }) => load > 2 * cpus().length);
  return cell?.status === "not run";
}

const MOST_ATTEMPTS = 3;

async function playOf({ system, persona }: Task, terms: Terms): Promise<Cell> {
  const why = system.whyNot?.();
  if (why !== undefined) return { status: "not run", why };
  try {
    for (let attempt = 1; ; attempt++) {
      const cell = await system.play(persona, terms);
      if (cell.status !== "not run" || !cell.again || attempt === MOST_ATTEMPTS) return cell;
    }
  } catch (error) {
    return { status: "not run", why: `it failed: ${String(error).split("\n")[0]!.slice(0, 200)}` };
  }
}

function writeTranscript(folder: string, { system, persona }: Task, { requests, output }: Transcript): void {
  mkdirSync(folder, { recursive: true });
  const name = `${system.name}, ${persona.name}.json`.replaceAll(" ", "-");
  const asked = requests.map(({ tools, messages }) => ({ tools, messages }));
  writeFileSync(join(folder, name), `${JSON.stringify({ output, asked }, null, 2)}\n`);
}

function told(cell: ResultCell): string {
  if (cell.status === "not run") return `not run, ${cell.why}`;
  const took = cell.status === "ran" ? `, ${(cell.ms / 1000).toFixed(1)} s` : "";
  const others = differing(cell).length > 0 ? ` DIFFERS: ${cell.plays.map(({ verdict }) => verdict).join(", ")}` : "";
  return `${shown(cell, [])}${took}${others}`;
}
