import { followReport, type Report } from "../../src/core/report/index.ts";
import type { Envelope } from "../../src/core/run/index.ts";

/** The report of a whole log. */
export function reportOf(
  envelopes: Iterable<Envelope>,
  about?: Parameters<ReturnType<typeof followReport>["report"]>[0],
): Report {
  const reporter = followReport();
  for (const envelope of envelopes) reporter.add(envelope);
  return reporter.report(about);
}
