import { diffWork } from "../../compose/index.ts";
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
      const form = has(given, "stat") ? ["--stat", `--stat-width=${io.columns}`, "--summary"] : ["-p"];
      const shown = await diffWork(await undoPlace(store, card, io), given.words[0], form);
      if (shown.status === "none") throw new Failure(shown.why);
      for (const part of shown.parts) io.out(part);
      return 0;
    }),
};
