// A process is killed while it records files or takes work back; the next one finishes it. Nothing is ever half done.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createCheckpoints, type Teller } from "../../src/checkpoints/index.ts";
import type { Checkpoint } from "../../src/core/run/index.ts";
import { systemClock } from "../../src/machine/index.ts";
import { editAsYou, randomFrom, work } from "./mutate.ts";
import { type Files, filesOf, indexOf, KINDS, makeWorld, repositoryOf, statusOf, type World } from "./world.ts";

const CHILD = resolve(import.meta.dirname, "kill-child.ts");

export function storeIn(home: string, env: World["env"]) {
  return createCheckpoints({ clock: systemClock(), env, directory: join(home, "state") });
}

/** Killed after a random while: before, within or after each step of it. Gives where it stood. */
export async function killOnce(seed: number, longest: number): Promise<"nothing" | "finished" | "done"> {
  const random = randomFrom(seed);
  const world = makeWorld(KINDS[seed % KINDS.length]!);
  try {
    const store = storeIn(world.home, world.env);
    editAsYou(world, random, "before");
    const from = await takeIn(world, "c1");
    const started = filesOf(world.root);
    for (let count = 0; count < 3; count++) work(world, random, `w${seed}.${count}`, false);
    const to = await takeIn(world, "c2", from);
    const [before, index, status, repository] = [
      filesOf(world.root),
      indexOf(world),
      statusOf(world),
      repositoryOf(world),
    ];
    await child(world, from, to, random.below(Math.ceil(longest)));
    // The staged state may be back already: it is the last step before the run is told.
    const told = tellerIn(world.home);
    const recovered = await store.recover(world.cwd, told.teller);
    if (readdirSync(world.root).some((name) => name.startsWith(".tildone"))) throw new Error("files were left behind");
    same(repositoryOf(world), repository, "your repository was changed");
    const after = filesOf(world.root);
    if (told.count() === 0) {
      same(after, before, "half of an undo");
      same(statusOf(world), status, "half of an undo of what is staged");
      same(indexOf(world).length, index.length, "another index");
      return "nothing";
    }
    if (told.count() > 1) throw new Error(`told ${told.count()} times`);
    whole(after, started);
    return recovered === "finished" ? "finished" : "done";
  } finally {
    world.remove();
  }
}

/** How long it takes where it is not killed. */
export async function timeOnce(): Promise<number> {
  const world = makeWorld("repository");
  try {
    const from = await takeIn(world, "c1");
    work(world, randomFrom(1), "w", false);
    const to = await takeIn(world, "c2", from);
    return await child(world, from, to, 600_000);
  } finally {
    world.remove();
  }
}

async function takeIn(at: World, id: string, after?: Checkpoint): Promise<Checkpoint> {
  const taken = await storeIn(at.home, at.env).take({ cwd: at.cwd, run: "r", id, ...(after && { after: after.tree }) });
  if (taken.status === "none") throw new Error(taken.why);
  return taken.checkpoint;
}

/** What the process tells stands in a file: it may die after any line. */
export function tellerIn(home: string): { readonly teller: Teller; readonly count: () => number } {
  const file = join(home, "told");
  const count = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0);
  const teller: Teller = {
    isTold: () => count() > 0,
    tell: () => process.getBuiltinModule("node:fs").appendFileSync(file, "told\n"),
  };
  return { teller, count };
}

/** Resolves with how long it lived after it began. */
function child(world: World, from: Checkpoint, to: Checkpoint, afterMs: number): Promise<number> {
  const request = { home: world.home, cwd: world.cwd, from, to };
  const running = spawn(process.execPath, [CHILD, JSON.stringify(request)], {
    env: world.env as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((done) => {
    let began = 0;
    let timer: NodeJS.Timeout | undefined;
    // Counted from when it begins, not from when its process does.
    running.stdout.once("data", () => {
      began = Date.now();
      timer = setTimeout(() => running.kill("SIGKILL"), afterMs);
    });
    running.once("close", () => {
      clearTimeout(timer);
      done(Date.now() - began);
    });
  });
}

/** Everything that is sure to be known is as it was. */
function whole(after: Files, started: Files): void {
  for (const [path, file] of started)
    if (!MAY_BE_IGNORED.test(path) && !path.startsWith("module/") && after.get(path) !== file)
      throw new Error(`half of an undo: ${path}`);
}
const MAY_BE_IGNORED = /\.log$|^build\/|(^|\/)gen-[^/]*\.txt$|(^|\/)new/;

function same(found: unknown, wanted: unknown, says: string): void {
  const text = (value: unknown) => JSON.stringify(value instanceof Map ? [...value].sort() : value);
  if (text(found) !== text(wanted)) throw new Error(`${says}\n  is  ${text(found)}\n  was ${text(wanted)}`);
}
