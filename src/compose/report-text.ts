import { htmlReport, markdownReport, reportOf } from "../core/report/index.ts";
import { type Drivers, isGone, readEvents, type Store } from "../engine/index.ts";

export const REPORT_FORMATS = ["md", "html", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The one report, in the form that is asked for. */
export function reportText(store: Store & { readonly drivers: Drivers }, run: string, format: ReportFormat): string {
  let unread = 0;
  const events = readEvents(store.log, run, () => void unread++);
  const card = store.runs.get(run);
  const wasLeft = card !== undefined && isGone(card, store.drivers.of(card));
  const report = reportOf(events, { log: store.audit(run), unread: () => unread, isGone: wasLeft });
  switch (format) {
    case "md":
      return markdownReport(report);
    case "html":
      return htmlReport(report);
    case "json":
      return JSON.stringify(report, null, 2);
  }
}
