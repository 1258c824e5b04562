import type { Persona } from "../../src/testing/index.ts";
import { measure, type Row } from "../harness.ts";
import type { System, Terms } from "./cell.ts";

/** What a system takes for work that is done either way, beside its host alone; medians. */
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

interface Took {
  readonly ms: number;
  readonly memory: number;
}

/** Plays one persona on each system and on its host alone, in turn, so that what slows the machine slows both. */
export async function costsOf(
  pairs: readonly (readonly [system: System, alone: System])[],
  persona: Persona,
  terms: Terms,
  repeat: number,
): Promise<readonly Cost[]> {
  const rows = pairs.flatMap(([system, alone]) => rowsOf(system, alone, persona, terms, repeat));
  const results = await measure(rows, 1); // whole processes: the first fills the caches of the machine
  return pairs.map(([system, alone], at) => {
    const [time, memory] = [results[2 * at]!, results[2 * at + 1]!];
    return {
      system: system.name,
      beside: alone.name,
      ms: time.ms,
      besideMs: time.floorMs,
      memory: memory.ms,
      besideMemory: memory.floorMs,
      plays: repeat,
    };
  });
}

/** Its memory is that of the play whose time was just measured. */
function rowsOf(system: System, alone: System, persona: Persona, terms: Terms, repeat: number): readonly Row[] {
  const last = new Map<System, Took>();
  const play = (each: System) => async (): Promise<number> => {
    const cell = await each.play(persona, { ...terms, watchesMemory: true });
    if (cell.status !== "ran") throw new Error(`${each.name} came to no end: ${JSON.stringify(cell)}`);
    last.set(each, { ms: cell.ms, memory: cell.memory ?? 0 });
    return cell.ms;
  };
  const target = { atMost: 2 } as const;
  const remembered = (each: System) => () => last.get(each)?.memory ?? 0;
  return [
    { name: system.name, run: play(system), floor: play(alone), target, repeat },
    { name: system.name, run: remembered(system), floor: remembered(alone), target, repeat, unit: "MiB" },
  ];
}
