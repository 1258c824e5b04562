import { type UndoAnswer, undoRun } from "../../compose/index.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, RUN_OPTION, text } from "../command.ts";
import { withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { pickHere } from "../pick-run.ts";
import { refuseAgent } from "../speaker.ts";
import { midWorkRefusal, undoPlace } from "../undo-place.ts";
import { wrap } from "../wrap.ts";

const FORCE = {
  force: { type: "boolean", says: "Also overwrite files that changed again since; asks first." },
  yes: { type: "boolean", short: "y", says: "With --force: do not ask." },
} as const;

export const undo: Command = {
  name: "undo",
  takes: "[todo|checkpoint]",
  summary: "Takes back what a todo changed in the files, reopens it and tells the agent.",
  examples: [
    ["tildone undo", "the last todo that changed files"],
    ["tildone undo 2", "todo [2]; todos worked on together go together"],
    ["tildone undo c7", "everything the agent did after checkpoint c7"],
    ["tildone checkpoints", "what can be undone"],
  ],
  details: `Your own changes and those of other todos stay; if they touch the same lines,
nothing is changed and the files are listed. Only files that the run created are
deleted. Commits stay. tildone redo restores it.`,
  completes: ["todo"],
  options: { ...RUN_OPTION, ...FORCE, ...JSON_OPTION },
  words: 1,
  run: (given, io) => takeBack("undo", given, io),
};

export const redo: Command = {
  name: "redo",
  takes: "",
  summary: "Restores what the last undo removed.",
  options: { ...RUN_OPTION, ...FORCE, ...JSON_OPTION },
  words: 0,
  run: (given, io) => takeBack("redo", given, io),
};

function takeBack(kind: "undo" | "redo", given: Given, io: Io): Promise<number> {
  return withStore(io, async (store) => {
    const name = text(given, "run");
    refuseAgent(store, io, "undo", name);
    const card = await pickHere(store, name, io);
    const force = has(given, "force") ? (files: readonly string[]) => confirmed(files, given, io) : undefined;
    const midWork = midWorkRefusal(store, card, io);
    const answer: UndoAnswer =
      midWork === undefined
        ? await undoRun(await undoPlace(store, card, io), { kind, what: given.words[0], force })
        : { status: "refused", text: midWork, conflicts: [] };
    if (has(given, "json")) io.out(jsonText({ run: card.run, ...answer }));
    else if (answer.status === "done") io.out(io.isTerminal ? wrap(answer.text, io.columns) : answer.text);
    else throw new Failure(answer.text);
    return answer.status === "done" ? 0 : 1;
  });
}

async function confirmed(files: readonly string[], given: Given, io: Io): Promise<boolean> {
  if (has(given, "yes")) return true;
  io.err(`This changes ${files.length === 1 ? "1 file" : `${files.length} files`}, later changes included:`);
  for (const file of files.slice(0, SHOWN)) io.err(`  ${file}`);
  if (files.length > SHOWN) io.err(`  and ${files.length - SHOWN} more`);
  const answer = await io.ask("Overwrite them? They stay in the checkpoint before the undo. [y/N] ");
  if (answer === undefined)
    throw new Failure("Nothing was changed: there is no terminal to ask on. Add --yes to confirm.");
  return /^y(es)?$/i.test(answer.trim());
}

const SHOWN = 20;
