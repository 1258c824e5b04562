import { diffWork } from "../../compose/index.ts";
import { type Command, Failure, has, JSON_OPTION, RUN_OPTION, text } from "../command.ts";
import { withStore } from "../home.ts";
import { jsonText } from "../json.ts";
import { pickHere } from "../pick-run.ts";
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
  options: {
    ...RUN_OPTION,
    stat: { type: "boolean", says: "Only the files and how many lines changed." },
    ...JSON_OPTION,
  },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const card = await pickHere(store, text(given, "run"), io);
      const place = await undoPlace(store, card, io);
      const inForm = async (...form: readonly string[]) => {
        const shown = await diffWork(place, given.words[0], form);
        if (shown.status === "none") throw new Failure(shown.why);
        return shown;
      };
      if (has(given, "json")) {
        const counted = await inForm("--numstat", "-z");
        const { parts } = has(given, "stat") ? counted : await inForm("-p");
        const patch = has(given, "stat") ? {} : { diff: parts.join("\n") };
        io.out(jsonText({ run: card.run, files: counted.parts.flatMap(filesIn), ...patch }));
        return 0;
      }
      const shown = await (has(given, "stat")
        ? inForm("--stat", `--stat-width=${io.columns}`, "--summary")
        : inForm("-p"));
      for (const part of shown.parts) io.out(part);
      return 0;
    }),
};

/** What `git diff --numstat -z` prints; a binary file has no lines to count. */
function filesIn(numstat: string): readonly { path: string; added: number | null; removed: number | null }[] {
  const count = (text: string) => (text === "-" ? null : Number(text));
  return numstat.split("\0").flatMap((line) => {
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(line) ?? [];
    return path === undefined ? [] : [{ path, added: count(added!), removed: count(removed!) }];
  });
}
