import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import type { Persona } from "../../src/testing/index.ts";
import type { Cell, System, Terms, Transcript } from "./cell.ts";
import { cellOf, differing, type ResultCell, type ResultRow, withoutCell, withPlay, worstPlay } from "./results.ts";
import { shown } from "./table.ts";
import { EACH_YARDSTICK } from "./verdict.ts";

export interface Wanted {
  readonly tasks: readonly Task[];
  /** How many plays each cell should have at the end; all are played once before the first is played again. */
  readonly plays: number;
  readonly atOnce: number;
  readonly terms: Omit<Terms, "keep">;
  /** Where it is kept what the model was asked, and in which cells: in all, or in those that are not good. */
  readonly transcripts: { readonly folder: string; readonly of: "all" | "faults" };
  /** Called after every play, with its result. */
  readonly onPlay: (rows: readonly ResultRow[], line: string) => void;
}

export interface Task {
  readonly persona: Persona;
  readonly system: System;
}

/** Plays what is wanted and not there yet, several at once, and tells each cell as it comes; an aborted play leaves no trace. */
export async function runCells(before: readonly ResultRow[], wanted: Wanted): Promise<readonly ResultRow[]> {
  const { tasks, plays, atOnce, terms, transcripts, onPlay } = wanted;
  const find = (rows: readonly ResultRow[], { persona, system }: Task) => cellOf(rows, persona.name, system.name);
  let rows = tasks
    .filter((task) => isHole(find(before, task)))
    .reduce((kept, { persona, system }) => withoutCell(kept, persona, system.name), before);
  const queue = Array.from({ length: plays }, (_, round) =>
    tasks.filter((task) => (find(rows, task)?.plays.length ?? 0) <= round),
  ).flat();
  const progress = progressOf(queue.length);
  const work = async (): Promise<void> => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const { persona, system } = task;
      let transcript: Transcript | undefined;
      const keep: Terms["keep"] = (kept) => {
        transcript = kept;
      };
      const cell = await playOf(task, { ...terms, keep });
      if (terms.signal.aborted) return;
      rows = withPlay(rows, persona, system.name, cell, round(loadavg()[0] ?? 0));
      const news = find(rows, task)!;
      const isKept =
        transcripts.of === "all" || EACH_YARDSTICK.some((by) => worstPlay(news, by).verdicts[by] !== "good");
      if (isKept && transcript) writeTranscript(transcripts.folder, task, transcript);
      onPlay(rows, `${progress()} ${persona.name} · ${system.name}: ${told(news)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return rows;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Says how far it is, and how long the rest takes if it goes on like this. */
function progressOf(all: number): () => string {
  const begun = performance.now();
  let played = 0;
  return () => {
    const minutes = (performance.now() - begun) / 60_000;
    const left = (minutes / ++played) * (all - played);
    return `${played}/${all}, ${minutes.toFixed(1)} min, about ${left.toFixed(1)} left:`;
  };
}

/** A play that might have come to something: it is played again when the run goes on. */
const isHole = (cell: ResultCell | undefined): boolean =>
  cell?.plays.some((play) => play.status === "not run" && play.cause !== "no fit") ?? false;

const MOST_ATTEMPTS = 3;

/** What comes of a play, also where it fails; one that had no luck is tried again. */
export async function playOf({ system, persona }: Task, terms: Terms): Promise<Cell> {
  const why = system.whyNot?.();
  if (why !== undefined) return { status: "not run", why, cause: "not installed" };
  try {
    for (let attempt = 1; ; attempt++) {
      const cell = await system.play(persona, terms);
      const isUnlucky = cell.status === "not run" && cell.cause === "luck";
      if (!isUnlucky || attempt === MOST_ATTEMPTS || terms.signal.aborted) return cell;
    }
  } catch (error) {
    return { status: "not run", why: `it failed: ${String(error).split("\n")[0]!.slice(0, 200)}`, cause: "failed" };
  }
}

function writeTranscript(folder: string, { system, persona }: Task, { requests, output }: Transcript): void {
  mkdirSync(folder, { recursive: true });
  const name = `${system.name}, ${persona.name}.json`.replaceAll(/[ /]/g, "-");
  const asked = requests.map(({ tools, messages }) => ({ tools, messages }));
  writeFileSync(join(folder, name), `${JSON.stringify({ output, asked }, null, 2)}\n`);
}

function told(cell: ResultCell): string {
  const play = cell.plays.at(-1)!;
  if (play.status === "not run") return `not run, ${play.why}`;
  const took = play.status === "ran" ? `, ${(play.ms / 1000).toFixed(1)} s` : "";
  const others = differing(cell).length > 0 ? ` DIFFERS: ${differing(cell).join(", ")}` : "";
  return `${shown({ plays: [play] }, [])}${took}${others}`;
}
