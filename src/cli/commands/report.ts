import { REPORT_FORMATS, reportText } from "../../compose/index.ts";
import { pullRequestText } from "../../core/report/index.ts";
import { type Command, Failure, type Given, has, text, UsageError } from "../command.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { pickRun } from "../pick-run.ts";
import { formatOf, writeReport } from "../write-report.ts";

export const report: Command = {
  name: "report",
  takes: "[run]",
  summary: "Reports what a run did: claimed, proven, unproven, suspect and abandoned work, and every decision.",
  examples: [
    ["tildone report", "on the terminal"],
    ["tildone report --to report.html", "as one page"],
    ["tildone report k3f9 --pr > pr.md", "a pull request: its title, an empty line, its text"],
  ],
  completes: ["run"],
  options: {
    to: {
      type: "string",
      completes: "file",
      value: "file",
      says: "Write to this file: .md, .html (one page) or .json.",
    },
    format: {
      type: "string",
      completes: ["md", "html", "json"],
      value: "f",
      says: "On the terminal: md, html or json; md without it.",
    },
    pr: { type: "boolean", says: "Instead: a title and a description for a pull request, in Markdown." },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      if (has(given, "pr")) return describe(store, given, io);
      const file = text(given, "to");
      if (file !== undefined) formatOf(file);
      const wanted = text(given, "format") ?? "md";
      const format = REPORT_FORMATS.find((known) => known === wanted);
      if (!format) throw new UsageError(`--format is md, html or json, not "${wanted}".`);
      const { run } = await pickRun(store, given.words[0], io);
      if (file === undefined) io.out(await reportText(store, run, format));
      else {
        await writeReport(store, run, io.cwd, file);
        io.out(`Wrote ${file}.`);
      }
      return 0;
    }),
};

/** Who has the files described them; else it is told without them. */
async function describe(store: HomeStore, given: Given, io: Io): Promise<number> {
  if (text(given, "format") !== undefined || text(given, "to") !== undefined)
    throw new UsageError("--pr prints Markdown; it takes neither --format nor --to.");
  const { run } = await pickRun(store, given.words[0], io);
  const report = await store.reader.report(run);
  if (!report) throw new Failure(`There is no run ${run} any more.`);
  io.out(((await store.pullRequest(run)) ?? pullRequestText(report)).trimEnd());
  return 0;
}
