import { expect, test } from "vitest";
import { PERSONAS } from "../../src/testing/index.ts";
import type { Cell, Ran } from "./cell.ts";
import { plot } from "./plot.ts";
import { withTable } from "./publish.ts";
import { type Results, withPlay } from "./results.ts";
import { differences, markdown, summary, totalsOf } from "./table.ts";

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
  systems: { ours: { version: "1", family: "a" }, theirs: { version: "2", family: "a" } },
  rows: cells.reduce(
    (rows, [name, system, cell]) => withPlay(rows, PERSONAS.find((each) => each.name === name)!, system, cell, 1),
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
    "✓ finished, or stopped as it should, and truthfully reported; ✗ with what is wrong; ≠ not the same twice. In brackets: model requests.",
    "",
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
      longestRunaway: 5,
      perNudge: 60,
      opening: 1000,
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
      longestRunaway: 0,
      perNudge: 0,
      opening: 1000,
      faults: { "false claim": 1, "no end": 1 },
    },
  ]);
  expect(summary(RESULTS)).toContain("| theirs | 0/2 | 0/1 | 1 | 0 | 0 | 0 |");
});

test("a system of which nothing ran is not drawn as one that failed", () => {
  const results = { ...RESULTS, systems: { ...RESULTS.systems, absent: { version: "3", family: "b" } } };
  expect(summary(results)).not.toContain("absent");
  expect(plot(results)).not.toContain("absent");
});

test("the order in which cells were played makes no difference", () => {
  const reversed = resultsOf([...CELLS].reverse());
  expect(markdown(reversed)).toBe(markdown(RESULTS));
  expect(plot(reversed)).toBe(plot(RESULTS));
});

test("a cell that does not do the same twice is judged by its worst play", () => {
  const again = resultsOf([
    ...CELLS,
    ["stops after each todo", "ours", { ...ran, claims: "not done", reason: "blocked" }],
  ]);
  expect(again.rows).toHaveLength(3);
  expect(markdown(again)).toContain("| stops after each todo | finish (5) | ≠ good, false alarm |");
  expect(totalsOf(again)[0]).toMatchObject({ good: 1, faults: { "false alarm": 1 } });
  expect(differences(again)).toBe(
    "1 cells were played at least twice; 1 came to another verdict.\n" +
      "- stops after each todo · ours: good all_done, then false alarm blocked",
  );
});

test("a page keeps what stands around its table", () => {
  const page = "before\n<!-- benchmark: printed by bench:until-done -- --plot -->\nold\n<!-- /benchmark -->\nafter\n";
  expect(withTable(page, "| new |")).toBe(page.replace("old", "| new |"));
  expect(() => withTable("no marks", "| new |")).toThrow("lacks");
});
