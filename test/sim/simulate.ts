import type { Envelope } from "../../src/core/run/index.ts";
import { act } from "./act.ts";
import type { Action } from "./action.ts";
import { createChooser } from "./choose.ts";
import { type DiskKind, openDisk } from "./disk.ts";
import type { Violation } from "./judge-event.ts";
import { createReplay, judgeWorld } from "./judge-world.ts";
import { quiet } from "./quiet.ts";
import { createRandom } from "./random.ts";
import { drawSetup, type Setup } from "./setup.ts";
import { World } from "./world.ts";

/** One history: where it began, what happened, and what was broken, if anything. */
export interface History {
  readonly setup: Setup;
  readonly actions: readonly Action[];
  readonly violation?: Violation;
  /** What each action left in the logs; the last entry is the quiet ending. */
  readonly logged: readonly (readonly Logged[])[];
}

export interface Logged extends Envelope {
  readonly run: string;
}

export const setupOf = (seed: number): Setup => drawSetup(createRandom(seed));

/** Plays a seed: the setup and every action follow from it. */
export function playSeed(seed: number, store: DiskKind): Promise<History> {
  const random = createRandom(seed + 0.5);
  const length = 15 + random.below(85);
  const choose = createChooser(random);
  return play(setupOf(seed), store, (world, played) => (played < length ? choose(world) : undefined));
}

/** Plays a list of actions. */
export function playActions(setup: Setup, actions: readonly Action[], store: DiskKind): Promise<History> {
  return play(setup, store, (_world, played) => actions[played]);
}

async function play(
  setup: Setup,
  store: DiskKind,
  next: (world: World, played: number) => Action | undefined,
): Promise<History> {
  const disk = await openDisk(store);
  const world = new World(setup, disk);
  const replay = createReplay();
  const actions: Action[] = [];
  const logged: Logged[][] = [];
  const told = new Map<string, number>();
  const trap = (error: unknown) => world.escaped("a promise", error);
  process.on("unhandledRejection", trap);
  try {
    await act(world, { do: "come back", goOn: world.profile.goOn });
    let violation: Violation | undefined;
    for (let action = next(world, 0); action && !violation; action = next(world, actions.length)) {
      actions.push(action);
      await act(world, action);
      violation = judge();
    }
    violation ??= await quiet(world, async () => judge());
    violation ??= judge();
    return { setup, actions, logged, ...(violation && { violation }) };
  } finally {
    world.killAll();
    await world.clock.settle();
    process.off("unhandledRejection", trap);
    disk.close();
  }

  function judge(): Violation | undefined {
    const found = world.audit.read(world.store);
    logged.push(
      world.audit.all().flatMap(({ run }) => {
        const log = world.audit.log(run);
        const from = told.get(run) ?? 0;
        told.set(run, log.length);
        return log.slice(from).map((envelope) => ({ run, ...envelope }));
      }),
    );
    return found ?? world.violation ?? judgeWorld(world, replay);
  }
}
