import { differing, type Play, type ResultCell, type Results } from "./results.ts";
import { wordsOf } from "./table.ts";
import { EACH_YARDSTICK, type Yardstick } from "./verdict.ts";

interface Placed {
  readonly persona: string;
  readonly system: string;
  readonly cell: ResultCell;
}

const placed = ({ rows }: Pick<Results, "rows">): readonly Placed[] =>
  rows.flatMap(({ persona, cells }) => Object.entries(cells).map(([system, cell]) => ({ persona, system, cell })));

/** Cells that did not come to the same verdict each time, as lines. */
export const differences = (results: Pick<Results, "rows">): readonly string[] =>
  placed(results)
    .filter(({ cell }) => differing(cell).length > 0)
    .map(({ persona, system, cell }) => `${persona} · ${system}: ${cell.plays.map(wordOf).join(", then ")}`);

/** Cells that came to the same verdict with other words or another number of requests, as lines. */
export const variations = (results: Pick<Results, "rows">): readonly string[] =>
  placed(results)
    .filter(({ cell }) => differing(cell).length === 0 && new Set(cell.plays.map(wordOf)).size > 1)
    .map(({ persona, system, cell }) => `${persona} · ${system}: ${cell.plays.map(wordOf).join(", then ")}`);

function wordOf(play: Play): string {
  const verdicts = [...new Set(EACH_YARDSTICK.map((by) => play.verdicts[by]))].join("/");
  return play.status === "ran" ? `${verdicts}, ${wordsOf(play)} (${play.requests})` : verdicts;
}

/** Plays that are still to come. */
export const lacking = ({ rows, run }: Pick<Results, "rows" | "run">): number => {
  const played = placed({ rows }).reduce((sum, { cell }) => sum + Math.min(cell.plays.length, run.plays), 0);
  return run.cells * run.plays - played;
};

/**
 * Cells in which tildone does not keep what it promises, as lines: that it finishes what can be finished, stops what must be
 * stopped, tells the truth, continues nothing after an abort or in a wait, and asks no more often than the work calls for. Where the
 * process is the host's, its exit code is the host's, too. A cell that could not be run is one of them, unless the host has not
 * what the persona needs.
 */
export const brokenPromises = ({ rows, systems }: Pick<Results, "rows" | "systems">): readonly string[] =>
  placed({ rows }).flatMap(({ persona, system, cell }) => {
    const head = systems[system];
    const by = head?.exitsForUs ? EACH_YARDSTICK : (["person", "files"] as const);
    const play = head?.isOurs && cell.plays.find((each) => isBroken(each, by));
    return play ? [`${persona} · ${system}: ${wordOf(play)}${play.status === "not run" ? `, ${play.why}` : ""}`] : [];
  });

const isBroken = (play: Play, yardsticks: readonly Yardstick[]): boolean =>
  yardsticks.some((by) => play.verdicts[by] !== "good") && !(play.status === "not run" && play.cause === "no fit");

/** How often the cells were played, and whether it made a difference. */
export function agreement(results: Pick<Results, "rows">): string {
  const twice = placed(results).filter(({ cell }) => cell.plays.length > 1);
  const [different, varied] = [differences(results), variations(results)];
  if (twice.length === 0) return "Every cell was played once.";
  return [
    different.length === 0
      ? `${twice.length} cells were played twice, one whole run after the other on the same commit: both runs agree on every verdict.`
      : `${twice.length} cells were played twice; ${different.length} came to another verdict:`,
    ...different.map((line) => `- ${line}`),
    ...(varied.length === 0 ? [] : [`The verdict was the same, its words or requests were not, in ${varied.length}:`]),
    ...varied.map((line) => `- ${line}`),
  ].join("\n");
}
