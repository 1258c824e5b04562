import { expect, test } from "vitest";
import { PERSONAS } from "../../src/testing/index.ts";
import type { Cell, Ran } from "./cell.ts";
import { plot } from "./plot.ts";
import { type Results, withCell } from "./results.ts";
import { markdown, summary, totalsOf } from "./table.ts";

const ran: Ran = {
  status: "ran",
  finished: true,
  claims: "done",
  reason: "all_done",
  requests: 5,
  nudges: 1,
  added: 100,
  opening: 1000,
  ms: 1,
};
const CELLS: readonly (readonly [persona: string, system: string, cell: Cell])[] = [
  ["stops after each todo", "ours", { ...ran, requests: 6 }],
  ["stops after each todo", "theirs", { ...ran, finished: false, reason: "exit 0", requests: 3, nudges: 0 }],
  ["says ok", "ours", { ...ran, finished: false, claims: "not done", reason: "no_progress", nudges: 3 }],
  ["says ok", "theirs", { status: "no end", afterMs: 90_000 }],
  ["is aborted by the human", "ours", { ...ran, finished: false, claims: "not done", reason: "interrupted" }],
  ["is aborted by the human", "theirs", { status: "not run", why: "it has no hands" }],
];
const resultsOf = (cells: typeof CELLS): Results => ({
  at: "2030-01-01",
  machine: { node: "v24", platform: "linux", arch: "x64", cpus: 2 },
  systems: { ours: "1", theirs: "2" },
  rows: cells.reduce(
    (rows, [name, system, cell]) => withCell(rows, PERSONAS.find((each) => each.name === name)!, system, cell),
    [] as Results["rows"],
  ),
});
const RESULTS = resultsOf(CELLS);

test("a cell says what came of it, and one without a result says why", () => {
  expect(markdown(RESULTS).split("\n")).toEqual([
    "| a model that … | should (fewest requests) | ours | theirs |",
    "| --- | --- | --- | --- |",
    "| says ok | stop | ✓ no_progress (5) | ⧖ no end in 90 s |",
    "| stops after each todo | finish (5) | ✓ all_done (6) | ✗ false claim: exit 0 (3) |",
    "| is aborted by the human | stop | ✗ nudged needlessly: interrupted (5) | – [1] |",
    "| **good** |  | **2/3** | **0/2** |",
    "",
    "✓ finished, or stopped as it should, and truthfully reported; ✗ with what is wrong. In brackets: model requests.",
    "\\[1] it has no hands  ",
  ]);
});

test("totals count what ran", () => {
  expect(totalsOf(RESULTS)).toEqual([
    {
      system: "ours",
      good: 2,
      ran: 3,
      finished: "1/1",
      falseClaims: 0,
      needlessNudges: 1,
      extraRequests: 1,
      faults: { "nudged needlessly": 1 },
    },
    {
      system: "theirs",
      good: 0,
      ran: 2,
      finished: "0/1",
      falseClaims: 1,
      needlessNudges: 0,
      extraRequests: 0,
      faults: { "false claim": 1, "no end": 1 },
    },
  ]);
  expect(summary(RESULTS)).toContain("| theirs | 0/2 | 0/1 | 1 | 0 | 0 |");
});

test("a system of which nothing ran is not drawn as one that failed", () => {
  const results = { ...RESULTS, systems: { ...RESULTS.systems, absent: "3" } };
  expect(summary(results)).toContain("| absent | not run | ");
  expect(plot(results)).not.toContain("absent");
});

test("the order in which cells were played makes no difference", () => {
  const reversed = resultsOf([...CELLS].reverse());
  expect(markdown(reversed)).toBe(markdown(RESULTS));
  expect(plot(reversed)).toBe(plot(RESULTS));
});

test("a cell that is played again takes the place of the old one", () => {
  const again = resultsOf([...CELLS, ["says ok", "theirs", { ...ran, finished: false, claims: "not done" }]]);
  expect(again.rows).toHaveLength(3);
  expect(again.rows[0]?.cells.theirs?.verdict).toBe("good");
});
