import type { Persona } from "../../src/testing/index.ts";
import { measure, type Row } from "../harness.ts";
import type { System, Terms } from "./cell.ts";
import type { Machine } from "./results.ts";
import { playOf } from "./run-cells.ts";
import type { Source } from "./source.ts";

/** What systems take for work that is done either way; its own measurement, one system at a time. */
export interface Costs {
  readonly at: string;
  readonly source: Source;
  readonly machine: Machine;
  readonly systems: readonly Cost[];
}

/** Beside the host alone; medians. */
export interface Cost {
  readonly system: string;
  readonly beside: string;
  readonly ms: number;
  readonly besideMs: number;
  /** The most memory that the whole process tree held, in MiB. */
  readonly memory: number;
  readonly besideMemory: number;
  readonly plays: number;
}

export type Pair = readonly [system: System, alone: System];

interface Took {
  readonly ms: number;
  readonly memory: number;
}

export interface Effort {
  /** How often each is played, beside once to warm up. */
  readonly repeat: number;
  /** No round begins that would not be over by then, but one is played in any case. */
  readonly longestMs: number;
  readonly onPlay: (system: string, took: Took) => void;
}

/** Plays one persona on each system and on its host alone, round by round, so that what slows the machine slows all. */
export async function costsOf(
  pairs: readonly Pair[],
  persona: Persona,
  terms: Terms,
  { repeat, longestMs, onPlay }: Effort,
): Promise<readonly Cost[]> {
  const rows = rowsOf(pairs, repeat, async (system) => {
    const cell = await playOf({ system, persona }, { ...terms, watchesMemory: true });
    if (cell.status !== "ran") throw new Error(`${system.name} came to no end: ${JSON.stringify(cell)}`);
    const took = { ms: cell.ms, memory: cell.memory ?? 0 };
    onPlay(system.name, took);
    return took;
  });
  const begun = performance.now();
  const fits = (round: number): boolean => {
    const passed = performance.now() - begun;
    return round <= WARM_UP || passed + passed / round <= longestMs;
  };
  const results = await measure(rows, WARM_UP, fits);
  return pairs.map(([system, alone], at) => {
    const [time, memory] = [results[2 * at]!, results[2 * at + 1]!];
    return {
      system: system.name,
      beside: alone.name,
      ms: time.ms,
      besideMs: time.floorMs,
      memory: memory.ms,
      besideMemory: memory.floorMs,
      plays: time.samples.length,
    };
  });
}

/** Whole processes: the first of each fills the caches of the machine. */
const WARM_UP = 1;

/** Two rows a pair. A host alone is played once a round, for the first of its systems; memory is that of the play just timed. */
function rowsOf(pairs: readonly Pair[], repeat: number, play: (system: System) => Promise<Took>): readonly Row[] {
  const last = new Map<System, Took>();
  const timed = (system: System) => async (): Promise<number> => {
    last.set(system, await play(system));
    return last.get(system)!.ms;
  };
  const remembered = (system: System, of: keyof Took) => () => last.get(system)![of];
  const target = { atMost: 2 } as const;
  return pairs.flatMap(([system, alone], at): Row[] => {
    const isFirst = pairs.findIndex(([, other]) => other === alone) === at;
    const floor = isFirst ? timed(alone) : remembered(alone, "ms");
    return [
      { name: system.name, run: timed(system), floor, target, repeat },
      {
        name: system.name,
        run: remembered(system, "memory"),
        floor: remembered(alone, "memory"),
        target,
        repeat,
        unit: "MiB",
      },
    ];
  });
}
