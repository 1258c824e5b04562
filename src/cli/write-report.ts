import { writeFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { REPORT_FORMATS, type ReportFormat, reportText } from "../compose/index.ts";
import { Failure, UsageError } from "./command.ts";
import { type HomeStore, withStore } from "./home.ts";
import type { Io } from "./io.ts";

/** What a file is to hold follows from its name. */
export function formatOf(file: string): ReportFormat {
  const format = REPORT_FORMATS.find((known) => extname(file) === `.${known}`);
  if (!format) throw new UsageError(`A report is written as .md, .html or .json; "${file}" is none of them.`);
  return format;
}

/** The run ended as it ended: a report that cannot be written is said, and the exit code stays the run's. */
export async function reportAtEnd(run: string, file: string, io: Io): Promise<void> {
  try {
    await withStore(io, (store) => writeReport(store, run, io.cwd, file));
  } catch (error) {
    io.err(`tildone: ${error instanceof Error ? error.message : String(error)}`);
    io.err(`The run itself is not affected. Write it elsewhere: tildone report ${run} --to /tmp/report.md`);
  }
}

export async function writeReport(store: HomeStore, run: string, cwd: string, file: string): Promise<void> {
  const text = await reportText(store, run, formatOf(file));
  try {
    writeFileSync(resolve(cwd, file), `${text}\n`, { mode: 0o600 });
  } catch (error) {
    throw new Failure(`The report cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
