import { recoverUndo, type UndoPlace } from "../../compose/index.ts";
import { chooseUndo, type Interval, workIn } from "../../core/checkpoint/index.ts";
import type { Checkpoint } from "../../core/run/index.ts";
import { openRun, readEvents } from "../../engine/index.ts";
import { type Command, Failure, has, RUN_OPTION, text } from "../command.ts";
import { withStore } from "../home.ts";
import { pickRun } from "../pick-run.ts";
import { undoPlace } from "../undo-place.ts";

export const diff: Command = {
  name: "diff",
  takes: "[todo|checkpoint]",
  summary: "Shows what a todo changed in the files.",
  examples: [
    ["tildone diff", "the last todo that changed files"],
    ["tildone diff 2 --stat", "todo [2], numbers only"],
    ["tildone diff c7", "everything after checkpoint c7"],
  ],
  details: "Todos that were worked on together share a diff.",
  completes: ["todo"],
  options: { ...RUN_OPTION, stat: { type: "boolean", says: "Only the files and how many lines changed." } },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const card = pickRun(store, text(given, "run"), io);
      const place = await undoPlace(store, card, io);
      await recoverUndo(place);
      const { run } = openRun(store.log, card.run);
      const choice = chooseUndo(workIn(readEvents(store.log, card.run)), run.plan.todos, given.words[0]);
      if (choice.status === "none") throw new Failure(choice.why);
      const form = has(given, "stat") ? ["--stat", `--stat-width=${io.columns}`, "--summary"] : ["-p"];
      for (const [from, to] of await joined(place, choice.steps.toReversed())) {
        const shown = await place.checkpoints.diff(card.cwd, from, to, form);
        if (shown === undefined) throw new Failure(`Checkpoint ${from.id} or ${to.id} is no longer kept.`);
        if (shown !== "") io.out(shown.trimEnd());
      }
      return 0;
    }),
};

type Span = readonly [from: Checkpoint, to: Checkpoint];

/** Steps that follow each other are shown as one. */
async function joined({ checkpoints, cwd, run }: UndoPlace, steps: readonly Interval[]): Promise<readonly Span[]> {
  const spans: Span[] = [];
  for (const { from, to } of steps) {
    const end = to === "now" ? await recordedNow() : to;
    const last = spans.at(-1);
    if (last?.[1].id === from.id) spans[spans.length - 1] = [last[0], end];
    else spans.push([from, end]);
  }
  return spans;

  async function recordedNow(): Promise<Checkpoint> {
    const taken = await checkpoints.take({ cwd, run, id: "now" });
    if (taken.status === "none") throw new Failure(`The files cannot be recorded: ${taken.why}.`);
    return taken.checkpoint;
  }
}
