import { recoverUndo } from "../../compose/index.ts";
import { type ListedCheckpoint, workIn } from "../../core/checkpoint/index.ts";
import { type Changed, MOMENTS, type Run } from "../../core/run/index.ts";
import { clipLine, clockTime } from "../../core/text/index.ts";
import { openRun, readEvents } from "../../engine/index.ts";
import { type Command, has, JSON_OPTION } from "../command.ts";
import { withStore } from "../home.ts";
import { jsonText } from "../json.ts";
import { pickHere } from "../pick-run.ts";
import { undoPlace } from "../undo-place.ts";

export const checkpoints: Command = {
  name: "checkpoints",
  takes: "[run]",
  summary: "Lists the checkpoints of a run: when files were recorded and what changed since.",
  examples: [
    ["tildone checkpoints", "of the run in this folder"],
    ["tildone diff c7", "what the agent changed after checkpoint c7"],
    ["tildone undo c7", "take that back"],
  ],
  completes: ["run"],
  options: { ...JSON_OPTION },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const card = await pickHere(store, given.words[0], io);
      const place = await undoPlace(store, card, io);
      await recoverUndo(place);
      const { run } = openRun(store.log, card.run);
      const { checkpoints: listed } = workIn(readEvents(store.log, card.run));
      const kept = new Set(await place.checkpoints.kept(card.cwd, card.run));
      const bytes = await place.checkpoints.size(card.cwd);
      const { off } = run.ledger.checkpoints;
      const rows = listed.map((each) => ({ ...each, isKept: kept.has(each.checkpoint.id) }));
      if (has(given, "json")) {
        io.out(jsonText({ run: card.run, off, bytes, checkpoints: rows.map(asJson(run)) }));
        return 0;
      }
      const width = Math.max(4, ...rows.map(({ checkpoint }) => checkpoint.id.length));
      for (const row of rows) io.out(lineOf(row, run, io.now(), io.columns, width));
      if (off !== undefined) io.out(`No checkpoints in this run: ${off}.`);
      else if (rows.length === 0)
        io.out(
          `${card.run} has no checkpoints yet. They are taken in git repositories, or everywhere with checkpoints.enabled: true.`,
        );
      else io.out(ending(rows, bytes));
      return 0;
    }),
};

type Row = ListedCheckpoint & { readonly isKept: boolean };

/** `c3  14:02  finished [1] Fix vat()  3 files, +10 -2` */
function lineOf(
  { checkpoint, at, moment, ids, isKept }: Row,
  run: Run,
  now: number,
  columns: number,
  width: number,
): string {
  const stat = isKept ? statText(checkpoint.changed) : "no longer kept";
  const head = `${checkpoint.id.padEnd(width)}  ${clockTime(at, now).padEnd(5)}  `;
  const room = Math.max(10, columns - head.length - stat.length - 2);
  return `${head}${clipLine(saying(moment, ids, run), room).padEnd(room)}  ${stat}`.trimEnd();
}

function saying(moment: Row["moment"], ids: Row["ids"], { plan }: Run): string {
  const words = moment === "undo" ? "undo of" : moment === "redo" ? "redo of" : MOMENTS[moment];
  const todos = plan.todos.flatMap(({ id, text }, index) => (ids.includes(id) ? [`[${index}] ${text}`] : []));
  return todos.length === 0 ? words.replace(/ of$/, "") : `${words} ${todos.join(", ")}`;
}

const statText = ({ files, added, removed }: Changed): string =>
  files === 0 ? "" : `${files} ${files === 1 ? "file" : "files"}, +${added} -${removed}`;

function ending(rows: readonly Row[], bytes: number): string {
  const [first] = rows;
  const size = bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  const took = ((first?.checkpoint.ms ?? 0) / 1000).toFixed(1);
  return `${rows.length} ${rows.length === 1 ? "checkpoint" : "checkpoints"}; the store of this folder has ${size}; the first one took ${took} s.`;
}

const asJson =
  ({ plan }: Run) =>
  ({ checkpoint, at, moment, ids, isKept }: Row) => ({
    id: checkpoint.id,
    at,
    moment,
    todos: plan.todos.flatMap(({ id }, index) => (ids.includes(id) ? [index] : [])),
    changed: checkpoint.changed,
    ms: checkpoint.ms,
    kept: isKept,
    tree: checkpoint.tree,
  });
