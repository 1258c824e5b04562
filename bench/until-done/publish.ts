import { readFileSync, writeFileSync } from "node:fs";
import { lacking } from "./agreement.ts";
import { headline } from "./headline.ts";
import { page } from "./page.ts";
import { plot } from "./plot.ts";
import type { Results } from "./results.ts";
import { writeJson } from "./results-file.ts";

/** Why these results are no run that can be shown, if so. */
export function whyUnfit(results: Results): string | undefined {
  const { selection, ended } = results.run;
  if (selection === "some") return "These are some cells; a page is printed from a whole run.";
  const left = lacking(results);
  if (left > 0) return `The run lacks ${left} plays: --missing continues it.`;
  return ended === undefined ? "The run did not come to its end on one state of the code: play it anew." : undefined;
}

/** The page and the picture of one run, and the run itself beside them. */
export function publish(results: Results): void {
  writeJson("docs/benchmark.json", results);
  writeFileSync("docs/benchmark.svg", plot(results));
  writeFileSync("docs/benchmark.md", page(results));
  writeFileSync("README.md", withTable(readFileSync("README.md", "utf8"), headline(results)));
}

const [BEGIN, END] = ["<!-- benchmark: printed by bench:until-done -- --plot -->", "<!-- /benchmark -->"];

/** What stands between the two marks is printed. */
export function withTable(text: string, table: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the README lacks ${BEGIN} or ${END} after it`);
  return `${text.slice(0, begin + BEGIN.length)}\n${table}\n${text.slice(end)}`;
}
