import type { Persona } from "../../src/testing/index.ts";
import { median } from "../harness.ts";
import type { NoEnd, Ran } from "./cell.ts";
import { PLAYED } from "./personas.ts";
import { type Results, worstPlay } from "./results.ts";
import { needlessNudges, RUNAWAY, requestsTooMany, type Verdict, type Yardstick } from "./verdict.ts";

export type Measured = Pick<Results, "rows" | "systems">;

/** What each system comes to by one yardstick. */
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
  readonly faults: Readonly<Partial<Record<Verdict, number>>>;
}

export function totalsOf({ rows, systems }: Measured, by: Yardstick): readonly Total[] {
  return Object.keys(systems).map((system) => {
    const plays = rows.flatMap((row) => {
      const cell = row.cells[system];
      const play = cell && worstPlay(cell, by);
      return play && play.status !== "not run" ? [{ row, play, persona: personaOf(row.persona) }] : [];
    });
    const ran = plays.flatMap(({ play }) => (play.status === "ran" ? [play] : []));
    const [able, endless] = [plays.filter(comesToEnd), plays.filter((each) => !comesToEnd(each))];
    const done = able.filter(({ play }) => play.finished);
    const stopped = endless.filter(({ play }) =>
      play.status === "ran" ? play.requests <= RUNAWAY : play.still === "rests",
    );
    const { good = 0, ...faults } = counted(plays.map(({ play }) => play.verdicts[by]));
    const nudges = sum(ran.map((play) => play.nudges));
    const over = (count: (persona: Persona, play: Ran | NoEnd) => number): number =>
      sum(plays.map(({ persona, play }) => (persona ? count(persona, play) : 0)));
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
      perNudge: nudges === 0 ? 0 : Math.round(sum(ran.map((play) => play.added)) / nudges),
      opening: ran.length === 0 ? 0 : Math.round(median(ran.map((play) => play.opening))),
      faults,
    };
  });
}

const comesToEnd = ({ row }: { readonly row: Results["rows"][number] }): boolean => row.due.fewest !== undefined;

const personaOf = (name: string): Persona | undefined => PLAYED.find((each) => each.name === name);

function counted(verdicts: readonly Verdict[]): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {};
  for (const each of verdicts) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
