import { expect, test } from "vitest";
import { aCell, aStop, NO_END, type Placed, someResults } from "./a-cell.ts";
import { comparison } from "./comparison.ts";
import { plot } from "./plot.ts";
import { withTable } from "./publish.ts";
import { markdown, summary } from "./table.ts";
import { totalsOf } from "./totals.ts";

const CELLS: readonly Placed[] = [
  ["stops after each todo", "ours", aCell({ requests: 6 })],
  [
    "stops after each todo",
    "theirs",
    aCell({
      finished: false,
      shows: { state: "not done", words: "exit 0, 1 of 2 open" },
      requests: 3,
      nudges: 0,
    }),
  ],
  ["says ok", "ours", aStop("no_progress", { nudges: 3 })],
  ["says ok", "theirs", NO_END],
  ["is aborted by the human", "ours", aStop("interrupted", { requests: 2, exit: 0 })],
  ["is aborted by the human", "theirs", { status: "not run", why: "it has no hands", cause: "no fit" }],
  ["does what is asked", "ours", aCell({ requests: 4, nudges: 0, sent: 4800 })],
  ["does what is asked", "theirs", aCell({ requests: 4, nudges: 0, sent: 4000 })],
];
const RESULTS = someResults(CELLS);

test("a cell says its result, and one without a result says why", () => {
  expect(markdown(RESULTS).split("\n")).toEqual([
    "| a model that … | should | ours | theirs |",
    "| --- | --- | --- | --- |",
    "| does what is asked | finish (4) | ✓ exit 0 (4) | ✓ exit 0 (4) |",
    "| says ok | stop (50) | ✓ no_progress, exit 1 (5) | ✓ ⧖ rests after 90 s (3) |",
    "| stops after each todo | finish (4 + 1) | ✗ asked too often: exit 0 (6) | ✗ false claim by exit code, unfinished by what you see and files: exit 0, 1 of 2 open (3) |",
    "| is aborted by the human | stop (2) | ✗ false claim by exit code, nudged needlessly by what you see and files: interrupted, exit 0 (2) | – [1] |",
    "| **good by exit code · by what you see · by the files** |  | **2 · 2 · 2** of 4 | **2 · 2 · 2** of 3 |",
    "",
    "\\[1] it has no hands  ",
  ]);
});

test("totals count what ran", () => {
  expect(totalsOf(RESULTS, "person")).toEqual([
    {
      system: "ours",
      good: 2,
      ran: 4,
      finished: "2/2",
      stopped: "2/2",
      falseClaims: 0,
      needlessNudges: 1,
      requestsTooMany: 1,
      longestRunaway: 5,
      perNudge: 80,
      opening: 1000,
      faults: { "nudged needlessly": 1, "asked too often": 1 },
    },
    {
      system: "theirs",
      good: 2,
      ran: 3,
      finished: "1/2",
      stopped: "1/1",
      falseClaims: 0,
      needlessNudges: 0,
      requestsTooMany: 0,
      longestRunaway: 3,
      perNudge: 0,
      opening: 1000,
      faults: { unfinished: 1 },
    },
  ]);
  expect(totalsOf(RESULTS, "process")[1]).toMatchObject({ falseClaims: 1, faults: { "false claim": 1 } });
  expect(summary(RESULTS)).toContain("| theirs | 2/3 | 2/3 | 2/3 | 1/2 | 1/1 | 1 | 0 | 0 |");
});

test("where another system is as good or better is counted, and named", () => {
  expect(comparison(RESULTS).split("\n").at(-1)).toBe(
    "| theirs | ours | exit code | 2 : 2 | 0 | 0 | 1000 : 1200 | not measured | not measured |",
  );
  expect(comparison(RESULTS)).toContain("As good or better in total: theirs beside ours by exit code (2 : 2).");
  expect(comparison(someResults(CELLS.filter(([, system]) => system === "ours")))).toContain(
    "In total, none is as good",
  );
  const source = RESULTS.run.source;
  const cost = { system: "ours", beside: "theirs", ms: 2000, besideMs: 1000, memory: 90, besideMemory: 70, plays: 3 };
  const better = someResults([
    ["stops after each todo", "ours", aStop("blocked")],
    ["stops after each todo", "theirs", aCell()],
    ["says ok", "ours", aStop("no_progress", { nudges: 3 })],
    ["says ok", "theirs", aStop("exit 1", { nudges: 0, requests: 2 })],
  ]);
  const costs = { at: "", source, machine: better.run.machine, systems: [cost] };
  expect(
    comparison({ ...better, costs })
      .split("\n")
      .filter((_line, at) => at !== 2 && at !== 3),
  ).toEqual([
    "As good or better in total: theirs beside ours by exit code (2 : 1).",
    "",
    "| theirs | ours | exit code | 2 : 1 | 1 | 1 | 1250 : 1250 | 1.0 : 2.0 | 70 : 90 |",
    "",
    "Better cells:",
    "",
    "- stops after each todo, by exit code: theirs good, ours unfinished",
  ]);
});

test("a system of which nothing ran is not drawn as one that failed", () => {
  const results = { ...RESULTS, systems: { ...RESULTS.systems, absent: { version: "3", family: "b" } } };
  expect(summary(results)).not.toContain("absent");
  expect(plot(results)).not.toContain("absent");
});

test("the order in which cells were played makes no difference", () => {
  const reversed = someResults([...CELLS].reverse());
  expect(markdown(reversed)).toBe(markdown(RESULTS));
  expect(plot(reversed)).toBe(plot(RESULTS));
});

test("a cell that does not do the same twice is judged by its worst play", () => {
  const again = someResults([["says ok", "ours", aStop("no_progress", { nudges: 3, requests: 51 })], ...CELLS]);
  expect(again.rows).toHaveLength(4);
  expect(markdown(again)).toContain("| says ok | stop (50) | ≠ asked too often, good |");
  expect(totalsOf(again, "person")[0]).toMatchObject({ good: 1, longestRunaway: 51, faults: { "asked too often": 2 } });
});

test("a page keeps what stands around its table", () => {
  const page = "before\n<!-- benchmark: printed by bench:until-done -- --plot -->\nold\n<!-- /benchmark -->\nafter\n";
  expect(withTable(page, "| new |")).toBe(page.replace("old", "| new |"));
  expect(() => withTable("no marks", "| new |")).toThrow("lacks");
});
