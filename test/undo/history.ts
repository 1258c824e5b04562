// One random history: work, your edits, an undo and its redo, judged by what a walk over the files sees.
import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CheckpointStore, createCheckpoints, type Teller } from "../../src/checkpoints/index.ts";
import type { Checkpoint } from "../../src/core/run/index.ts";
import { systemClock } from "../../src/machine/index.ts";
import { mergeFile, type Step } from "./expect.ts";
import { allFiles, editAsYou, type Random, randomFrom, work } from "./mutate.ts";
import {
  type Files,
  filesOf,
  headOf,
  indexOf,
  KINDS,
  makeWorld,
  repositoryOf,
  stagedIn,
  statusOf,
  type World,
} from "./world.ts";

interface Moment {
  readonly checkpoint: Checkpoint;
  readonly files: Files;
  readonly status: string;
  readonly head: string;
}

export type Outcome = "undone" | "refused" | "nothing" | "stopped";

/** Throws where something is not as it has to be. */
export async function playHistory(seed: number): Promise<Outcome> {
  const random = randomFrom(seed);
  const world = makeWorld(KINDS[seed % KINDS.length]!);
  try {
    return await play(world, random, seed);
  } finally {
    world.remove();
  }
}

async function play(world: World, random: Random, seed: number): Promise<Outcome> {
  const store = createCheckpoints({ clock: systemClock(), env: world.env, directory: join(world.home, "state") });
  let count = 0;
  let last: Checkpoint | undefined;
  const note = async (): Promise<Moment> => {
    const [files, status] = [filesOf(world.root), statusOf(world)];
    const [before, index] = [repositoryOf(world), indexOf(world)];
    const taken = await store.take({ cwd: world.cwd, run: "r", id: `c${++count}`, ...(last && { after: last.tree }) });
    if (taken.status === "none") throw new Error(`no checkpoint: ${taken.why}`);
    last = taken.checkpoint;
    same(repositoryOf(world), before, "a checkpoint changed your repository");
    same(indexOf(world), index, "a checkpoint changed your index");
    same(filesOf(world.root), files, "a checkpoint changed your files");
    return { checkpoint: last, files, status, head: headOf(world) };
  };

  editAsYou(world, random, `y${seed}.0`);
  const spans: (Step & { readonly by: "todo" | "other" })[] = [];
  let from = await note();
  const target = random.below(3);
  for (let at = 0; at <= target + random.below(2); at++) {
    const by = at === target || random.below(4) === 0 ? "todo" : "other";
    if (by === "todo" || random.below(2) === 0) work(world, random, `w${seed}.${at}`, true);
    else editAsYou(world, random, `y${seed}.${at}`);
    const to = await note();
    spans.push({ by, from, to });
    from = to;
  }
  if (random.below(2) === 0) editAsYou(world, random, `y${seed}.after`);

  const steps = spans.filter(({ by }) => by === "todo").reverse();
  const now = {
    files: filesOf(world.root),
    status: statusOf(world),
    head: headOf(world),
    index: indexOf(world),
    repository: repositoryOf(world),
  };
  const meanwhile =
    random.below(8) === 0 ? (paths: readonly string[]) => editMeanwhile(world, random, paths) : undefined;
  const outcome = await takeBack(store, world, steps, last!, `c${count + 1}`, `c${count + 2}`, meanwhile);
  if (outcome.status === "stopped") {
    same(filesOf(world.root), outcome.files, "an undo that was stopped by your edit changed files");
    same(indexOf(world), now.index, "an undo that was stopped by your edit changed the index");
    same(repositoryOf(world), now.repository, "an undo that was stopped by your edit changed your repository");
    return "stopped";
  }
  if (outcome.status === "refused") {
    same(filesOf(world.root), now.files, "a refused undo changed files");
    same(indexOf(world), now.index, "a refused undo changed the index");
    mayRefuse(outcome.paths, now.files, steps);
    return "refused";
  }
  const after = filesOf(world.root);
  same(repositoryOf(world), now.repository, "an undo changed your repository");
  judge(after, now.files, steps);
  judgeStaged(world, steps, now, after);
  same(
    readdirSync(world.root).filter((name) => name.startsWith(".tildone")),
    [],
    "an undo left files behind",
  );

  const redo: Step = { from: outcome.before, to: outcome.after };
  const ids = [`c${count + 3}`, `c${count + 4}`] as const;
  const undone = await takeBack(store, world, [redo], outcome.after.checkpoint, ...ids, undefined, steps);
  if (undone.status !== "undone") throw new Error(`redo ${JSON.stringify(undone)}`);
  same(filesOf(world.root), now.files, "undo of undo is not what was there");
  same(statusOf(world), now.status, "undo of undo left another status");
  same(repositoryOf(world), now.repository, "a redo changed your repository");
  return sameFiles(after, now.files) ? "nothing" : "undone";
}

async function takeBack(
  store: CheckpointStore,
  world: World,
  steps: readonly Step[],
  last: Checkpoint,
  before: string,
  after: string,
  /** Edits one of the files that are about to change; false: there was none to edit. */
  meanwhile: (paths: readonly string[]) => boolean = () => false,
  /** Of a redo: what the undo took back. */
  undoes: readonly Step[] = [],
) {
  const prepared = await store.prepare({
    cwd: world.cwd,
    run: "r",
    ids: [before, after],
    last: last.tree,
    steps: steps.map(({ from, to }) => ({ from: from.checkpoint, to: to.checkpoint })),
    undone: undoes.map(({ from, to }) => ({ before: from.checkpoint, after: to.checkpoint })),
    force: false,
  });
  if (prepared.status === "refused") throw new Error(prepared.why);
  if (prepared.plan.kept.length > 0) throw new Error(`kept: ${prepared.plan.kept.join(", ")}`);
  if (prepared.plan.conflicts.length > 0)
    return {
      status: "refused",
      paths: prepared.plan.conflicts.map(({ path, why }) => `${why} ${asText(path)}`),
    } as const;
  const before_ = filesOf(world.root);
  const told: Checkpoint[] = [];
  const teller: Teller = { isTold: () => false, tell: (_then, checkpoint) => void told.push(checkpoint) };
  const isEdited = meanwhile(prepared.plan.changes.map(({ path }) => Buffer.from(path, "latin1").toString("utf8")));
  const edited = filesOf(world.root);
  const done = await store.carryOut(prepared, {}, teller);
  if (isEdited && done.status === "undone") throw new Error("your edit was overwritten");
  if (isEdited) return { status: "stopped", files: edited } as const;
  if (done.status === "failed") throw new Error(done.why);
  return {
    status: "undone",
    before: { checkpoint: prepared.before, files: before_ },
    after: { checkpoint: told[0]!, files: filesOf(world.root) },
  } as const;
}

/** You save a file after the plan was made and before it is carried out. */
function editMeanwhile({ root }: World, random: Random, paths: readonly string[]): boolean {
  const present = new Set(allFiles(root)); // what lay above a path may be a file by now
  const plain = paths.filter((path) => present.has(path) && lstatSync(join(root, path)).isFile());
  if (plain.length === 0 || plain.some((path) => path.includes("/"))) return false; // what lies behind a link is not the project's
  writeFileSync(join(root, random.pick(plain)), "saved by you just now");
  return true;
}

const asText = (path: string): string => Buffer.from(path, "latin1").toString("utf8");

/** Files whose being ignored may change with the rules: what happens to them depends on when. */
const MAY_BE_IGNORED = /\.log$|^build\/|(^|\/)gen-[^/]*\.txt$|(^|\/)new/;
const isLeftOut = (path: string): boolean => path.startsWith("module/");

function expected(now: Files, steps: readonly Step[]) {
  const files = new Map(now);
  const conflicts: string[] = [];
  const open = new Set<string>();
  const isSure = (path: string) => !isLeftOut(path) && !MAY_BE_IGNORED.test(path) && !open.has(path);
  for (const path of new Set(steps.flatMap(({ from, to }) => [...from.files.keys(), ...to.files.keys()]))) {
    const merged = mergeFile(path, now.get(path), steps);
    if (merged.status === "conflict") conflicts.push(path);
    else if (merged.status === "open") open.add(path);
    else if (merged.file === undefined) files.delete(path);
    else files.set(path, merged.file);
  }
  return { files, conflicts, isSure };
}

function mayRefuse(paths: readonly string[], now: Files, steps: readonly Step[]): void {
  const { files, conflicts, isSure } = expected(now, steps);
  const isClash = [...files.keys()].some((path) => [...files.keys()].some((other) => other.startsWith(`${path}/`)));
  if (conflicts.length > 0 || isClash || paths.some((path) => !isSure(path.slice(path.indexOf(" ") + 1)))) return;
  throw new Error(`refused without a reason: ${paths.join(", ")}`);
}

function judge(after: Files, now: Files, steps: readonly Step[]): void {
  const { files, conflicts, isSure } = expected(now, steps);
  const sure = conflicts.filter(isSure);
  if (sure.length > 0) throw new Error(`not refused: ${sure.join(", ")}`);
  for (const path of new Set([...files.keys(), ...after.keys()])) {
    if (isSure(path) && after.get(path) !== files.get(path))
      throw new Error(`${path} is ${JSON.stringify(after.get(path))}, not ${JSON.stringify(files.get(path))}`);
    if (isLeftOut(path) && after.get(path) !== now.get(path)) throw new Error(`${path} was touched`);
    // Not created by the run: never lost.
    const wasThere = now.has(path) && steps.every(({ from }) => from.files.has(path));
    if (wasThere && !after.has(path)) throw new Error(`${path} is lost`);
  }
}

/** Without commits and with nothing done since, everything git says is as it was. */
function judgeStaged(
  world: World,
  steps: readonly Step[],
  now: Pick<Moment, "files" | "status" | "head">,
  after: Files,
): void {
  const [only] = steps as readonly (Step & { readonly from: Moment; readonly to: Moment })[];
  if (steps.length !== 1 || !only || only.from.head !== only.to.head) return;
  if (now.head !== only.to.head || stagedIn(now.status) !== stagedIn(only.to.status)) return;
  if (!sameFiles(now.files, only.to.files)) return;
  const status = statusOf(world);
  same(stagedIn(status), stagedIn(only.from.status), "what was staged is not as it was");
  if (sameFiles(after, only.from.files)) same(status, only.from.status, "the status is not as it was");
}

const sameFiles = (a: Files, b: Files): boolean => JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());

function same(found: unknown, wanted: unknown, says: string): void {
  const text = (value: unknown) => JSON.stringify(value instanceof Map ? [...value].sort() : value);
  if (text(found) !== text(wanted)) throw new Error(`${says}\n  is  ${text(found)}\n  was ${text(wanted)}`);
}
