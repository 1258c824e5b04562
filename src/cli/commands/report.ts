import { REPORT_FORMATS, reportText } from "../../compose/index.ts";
import { type Command, text, UsageError } from "../command.ts";
import { withStore } from "../home.ts";
import { pickRun } from "../pick-run.ts";
import { formatOf, writeReport } from "../write-report.ts";

export const report: Command = {
  name: "report",
  takes: "[run]",
  summary: "Reports what a run did: claimed, proven, unproven, suspect and abandoned work, and every decision.",
  examples: [
    ["tildone report", "on the terminal"],
    ["tildone report --to report.html", "as one page"],
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
  },
  words: 1,
  run: (given, io) =>
    withStore(io, (store) => {
      const file = text(given, "to");
      if (file !== undefined) formatOf(file);
      const wanted = text(given, "format") ?? "md";
      const format = REPORT_FORMATS.find((known) => known === wanted);
      if (!format) throw new UsageError(`--format is md, html or json, not "${wanted}".`);
      const { run } = pickRun(store, given.words[0], io);
      if (file === undefined) io.out(reportText(store, run, format));
      else {
        writeReport(store, run, io.cwd, file);
        io.out(`Wrote ${file}.`);
      }
      return 0;
    }),
};
