import { htmlReport, markdownReport } from "../core/report/index.ts";
import type { Reader, Store } from "../engine/index.ts";

export const REPORT_FORMATS = ["md", "html", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The one report, in the form that is asked for. */
export async function reportText(
  { reader, runs, audit }: Pick<Store, "runs" | "audit"> & { readonly reader: Reader },
  run: string,
  format: ReportFormat,
): Promise<string> {
  // The seal of a log stays where the log was written.
  const report = await reader.report(run, runs.get(run) && audit(run));
  if (!report) throw new Error(`there is no run ${run}`);
  switch (format) {
    case "md":
      return markdownReport(report);
    case "html":
      return htmlReport(report);
    case "json":
      return JSON.stringify(report, null, 2);
  }
}
