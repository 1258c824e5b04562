import { chooseUndo, type Interval, workIn } from "../core/checkpoint/index.ts";
import type { Checkpoint } from "../core/run/index.ts";
import { openRun, readEvents } from "../engine/index.ts";
import { recoverUndo, type UndoPlace, untaken } from "./undo-run.ts";

export type WorkDiff =
  | { readonly status: "shown"; readonly parts: readonly string[] }
  | { readonly status: "none"; readonly why: string };

/** What a todo changed in the files, or everything after a checkpoint. `form`: what `git diff` is told. */
export async function diffWork(place: UndoPlace, what: string | undefined, form: readonly string[]): Promise<WorkDiff> {
  await recoverUndo(place);
  const { run } = openRun(place.store.log, place.run);
  const choice = chooseUndo(workIn(readEvents(place.store.log, place.run)), run.plan.todos, what, untaken(run));
  if (choice.status === "none") return choice;
  const spans = await joined(place, choice.steps.toReversed());
  if (typeof spans === "string") return { status: "none", why: spans };
  const parts: string[] = [];
  for (const [from, to] of spans) {
    const shown = await place.checkpoints.diff(place.cwd, from, to, form);
    if (shown === undefined) return { status: "none", why: `Checkpoint ${from.id} or ${to.id} is no longer kept.` };
    if (shown !== "") parts.push(shown.trimEnd());
  }
  return { status: "shown", parts };
}

type Span = readonly [from: Checkpoint, to: Checkpoint];

/** Steps that follow each other are shown as one. A text: why it cannot be. */
async function joined(
  { checkpoints, cwd, run }: UndoPlace,
  steps: readonly Interval[],
): Promise<readonly Span[] | string> {
  const spans: Span[] = [];
  for (const { from, to } of steps) {
    const taken = to === "now" ? await checkpoints.take({ cwd, run, id: "now" }) : undefined;
    if (taken?.status === "none") return `The files cannot be recorded: ${taken.why}.`;
    const end = taken ? taken.checkpoint : (to as Checkpoint);
    const last = spans.at(-1);
    if (last?.[1].id === from.id) spans[spans.length - 1] = [last[0], end];
    else spans.push([from, end]);
  }
  return spans;
}
