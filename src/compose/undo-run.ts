import type { CheckpointStore, Teller, UndoPlan } from "../checkpoints/index.ts";
import {
  type ChosenUndo,
  type Contested,
  chooseRedo,
  chooseUndo,
  doneText,
  type Interval,
  idOf,
  named,
  type Prefix,
  refusedText,
  type Work,
  workIn,
} from "../core/checkpoint/index.ts";
import type { Trigger } from "../core/react/index.ts";
import type { Checkpoint, Run } from "../core/run/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import { undoneText } from "../core/words/index.ts";
import { openRun, readEvents, type Store, speak } from "../engine/index.ts";

export interface UndoPlace {
  readonly store: Pick<Store, "log">;
  readonly checkpoints: CheckpointStore;
  /** The folder of the run. */
  readonly cwd: string;
  readonly run: string;
  readonly now: () => number;
  readonly spoken?: Spoken | undefined;
  readonly prefix: Prefix;
}

export interface UndoWish {
  readonly kind: "undo" | "redo";
  /** A todo or a checkpoint; absent: what was done last. */
  readonly what?: string | undefined;
  /** Asked before files are overwritten that changed since; absent: they are not. */
  readonly force?: ((files: readonly string[]) => Promise<boolean>) | undefined;
}

export type UndoAnswer =
  | {
      readonly status: "done";
      readonly text: string;
      /** What the undo is called in the log. */
      readonly undo: string;
      /** By index. */
      readonly todos: readonly number[];
      readonly files: readonly string[];
      readonly added: number;
      readonly removed: number;
      /** Not deleted, because nothing proves that the run created them. */
      readonly kept: readonly string[];
    }
  | { readonly status: "refused"; readonly text: string; readonly conflicts: readonly Contested[] };

/** Takes work of a run back, or puts it back: the files, the todos, and a message to the agent. */
export async function undoRun(place: UndoPlace, wish: UndoWish): Promise<UndoAnswer> {
  const { checkpoints, cwd, prefix } = place;
  if ((await recoverUndo(place)) === "busy") return refused("Another undo is running in this folder.");
  const { run } = openRun(place.store.log, place.run);
  const work = workIn(readEvents(place.store.log, place.run));
  const choice = wish.kind === "redo" ? chooseRedo(work) : chooseUndo(work, run.plan.todos, wish.what, untaken(run));
  if (choice.status === "none") return refused(choice.why);
  const what = named(choice.ids, run.plan.todos);
  const undo = `u${run.ledger.checkpoints.undos.length + 1}`;
  const prepared = await checkpoints.prepare({
    ...{ cwd, run: run.id },
    ids: [`${undo}.before`, `${undo}.after`],
    ...(run.ledger.checkpoints.last && { last: run.ledger.checkpoints.last.tree }),
    steps: choice.steps.map(({ from, to, unclear }) => ({ from, to, unclear })),
    ...(choice.undone && { undone: choice.undone }),
    force: wish.force !== undefined,
  });
  if (prepared.status === "refused") return refused(`Nothing was changed. ${prepared.why}`);
  const { plan } = prepared;
  if (plan.conflicts.length > 0) {
    const contested = await contestedBy(place, work, choice, plan, prepared.before);
    return { status: "refused", text: refusedText(contested, what, typed(prefix, wish)), conflicts: contested };
  }
  const files = plan.changes.map(({ path }) => shown(path));
  if (files.length === 0 && plan.index.length === 0)
    return refused(`Nothing to change: the files of ${what} are as they were.`);
  if (wish.force && !(await wish.force(files))) return refused("Nothing was changed.");
  const then: Then = {
    ...{ run: run.id, undo, ids: choice.ids, before: prepared.before },
    steps: choice.steps.map(({ from, to }) => ({ from: from.id, to: to === "now" ? prepared.before.id : idOf(to) })),
    ...(choice.redoes !== undefined && { redoes: choice.redoes }),
    words: undoneText({ todos: indexed(choice, run), files, isRedo: choice.redoes !== undefined }),
  };
  const undone = await checkpoints.carryOut(prepared, then, tellerOf(place));
  if (undone.status === "failed") return refused(`Nothing was changed: ${undone.why}.`);
  const { added, removed } = undone.after.changed;
  const reopened = run.plan.todos.filter(
    ({ id, status }) => choice.ids.includes(id) && status !== "not_started",
  ).length;
  const done = {
    ...{ what, files: files.length, added, removed, isRedo: choice.redoes !== undefined },
    reopened: choice.redoes === undefined ? reopened : 0,
    kept: plan.kept.map(shown),
    submodules: plan.submodules.map(shown),
    hasCommits: plan.hasCommits,
    isStagedBack: undone.isStagedBack,
  };
  const todos = indexed(choice, run).map(({ index }) => index);
  return { status: "done", text: doneText(done, prefix), undo, todos, files, added, removed, kept: done.kept };
}

/** Why the run has no checkpoint, where that is known. */
export const untaken = ({ ledger }: Run): string | undefined => ledger.checkpoints.off ?? ledger.checkpoints.failed;

const typed = (prefix: Prefix, { kind, what }: UndoWish): string =>
  [`${prefix}${kind}`, ...(what === undefined ? [] : [what])].join(" ");

/** Finishes what a process left that died while it took something back. */
export const recoverUndo = (place: UndoPlace) => place.checkpoints.recover(place.cwd, tellerOf(place));

/** What the log is told when the files are done; it waits in the journal. */
interface Then extends Pick<Trigger & { type: "human.undo" }, "undo" | "ids" | "before" | "steps" | "redoes"> {
  readonly run: string;
  readonly words: string;
}

function tellerOf({ store: { log }, now, spoken }: UndoPlace): Teller {
  return {
    isTold: (then) => {
      const { run, undo } = then as Then;
      return log.last(run) === 0 || openRun(log, run).run.ledger.checkpoints.undos.some(({ id }) => id === undo);
    },
    tell: (then, after) => {
      const { run, words, ...undo } = then as Then;
      const text = { id: `${undo.undo}-${crypto.randomUUID()}`, text: words, kind: "steer" } as const;
      speak(log, run, { type: "human.undo", ...undo, after, words: text }, now(), spoken);
    },
  };
}

const refused = (text: string): UndoAnswer => ({ status: "refused", text, conflicts: [] });
const shown = (path: string): string => Buffer.from(path, "latin1").toString("utf8");

const indexed = ({ ids }: ChosenUndo, { plan }: Run) =>
  plan.todos.flatMap(({ id, text }, index) => (ids.includes(id) ? [{ index, text }] : []));

/** Who changed the contested files after the steps that are taken back. */
async function contestedBy(
  { checkpoints, cwd, store, run }: UndoPlace,
  { intervals, checkpoints: listed }: Work,
  { steps }: ChosenUndo,
  { conflicts }: UndoPlan,
  now: Checkpoint,
): Promise<readonly Contested[]> {
  const oldest = intervals.findIndex(({ from }) => from.id === steps.at(-1)?.from.id);
  const later = intervals.slice(Math.max(0, oldest)).filter((interval) => !steps.includes(interval));
  const last = listed.at(-1)?.checkpoint;
  const tail: readonly Interval[] =
    last && !later.some(({ to }) => to === "now")
      ? [{ from: last, to: now, todos: [], isWork: false, unclear: false }]
      : [];
  const { todos } = openRun(store.log, run).run.plan;
  const by = new Map<string, Set<string>>(conflicts.map(({ path }) => [shown(path), new Set()]));
  for (const { from, to, todos: ids } of [...later, ...tail]) {
    const names = await checkpoints.diff(cwd, from, to === "now" ? now : to, ["--name-only", "-z"]);
    const who = ids.length === 0 ? ["you"] : ids.map((id) => `[${todos.findIndex((todo) => todo.id === id)}]`);
    for (const name of names?.split("\0") ?? []) for (const each of who) by.get(name)?.add(each);
  }
  return conflicts.map(({ path, why }) => ({ path: shown(path), why, by: [...(by.get(shown(path)) ?? [])] }));
}
