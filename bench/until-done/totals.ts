import { PERSONAS, type Persona } from "../../src/testing/index.ts";
import { median } from "../harness.ts";
import type { Ran } from "./cell.ts";
import { type Play, type Results, worstPlay } from "./results.ts";
import { needlessNudges, RUNAWAY, requestsTooMany, type Verdict } from "./verdict.ts";

export type Measured = Pick<Results, "rows" | "systems">;

/** What each system comes to. */
export interface Total {
  readonly system: string;
  readonly good: number;
  readonly ran: number;
  /** Of those that can be finished, whatever is said about it. */
  readonly finished: string;
  /** Of those that must be stopped, whatever is said about it; one that rests without ending is. */
  readonly stopped: string;
  readonly falseClaims: number;
  readonly needlessNudges: number;
  readonly requestsTooMany: number;
  /** The most requests that it took to stop one that must be stopped. */
  readonly longestRunaway: number;
  /** Characters of what was added to the conversation, by each nudge. */
  readonly perNudge: number;
  /** Characters of the first request. */
  readonly opening: number;
  /** Cells that would be false claims if only the exit code spoke. */
  readonly falseExits: number;
  readonly faults: Readonly<Partial<Record<Verdict, number>>>;
}

export function totalsOf({ rows, systems }: Measured): readonly Total[] {
  return Object.keys(systems).map((system) => {
    const plays = rows.flatMap((row) => {
      const cell = row.cells[system];
      const play = cell && worstPlay(cell);
      return play && play.status !== "not run" ? [{ row, play, persona: personaOf(row.persona) }] : [];
    });
    const ran = plays.flatMap(({ row, play, persona }) => (play.status === "ran" ? [{ row, play, persona }] : []));
    const [able, endless] = [plays.filter(comesToEnd), plays.filter((each) => !comesToEnd(each))];
    const done = able.filter(({ play }) => play.finished);
    const stopped = endless.filter(({ play }) =>
      play.status === "ran" ? play.requests <= RUNAWAY : play.still === "rests",
    );
    const { good = 0, ...faults } = counted(plays.map(({ play }) => play));
    const nudges = sum(ran.map(({ play }) => play.nudges));
    const over = (count: (persona: Persona, play: Ran) => number): number =>
      sum(ran.map(({ persona, play }) => (persona ? count(persona, play) : 0)));
    return {
      system,
      good,
      ran: plays.length,
      finished: `${done.length}/${able.length}`,
      stopped: `${stopped.length}/${endless.length}`,
      falseClaims: faults["false claim"] ?? 0,
      needlessNudges: over(needlessNudges),
      requestsTooMany: over(requestsTooMany),
      longestRunaway: Math.max(
        0,
        ...plays.filter(({ row }) => row.kind === "runaway").map(({ play }) => play.requests),
      ),
      perNudge: nudges === 0 ? 0 : Math.round(sum(ran.map(({ play }) => play.added)) / nudges),
      opening: ran.length === 0 ? 0 : Math.round(median(ran.map(({ play }) => play.opening))),
      falseExits: ran.filter(({ play }) => play.exit === 0 && !play.finished).length,
      faults,
    };
  });
}

const comesToEnd = ({ row }: { readonly row: Results["rows"][number] }): boolean => row.due.fewest !== undefined;

const personaOf = (name: string): Persona | undefined => PERSONAS.find((each) => each.name === name);

function counted(plays: readonly Play[]): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of plays) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
