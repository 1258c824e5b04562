import { expect, test } from "vitest";
import { aCell, aStop, type Placed, someResults } from "./a-cell.ts";
import { agreement, brokenPromises, differences, lacking } from "./agreement.ts";
import { page } from "./page.ts";
import { whyUnfit } from "./publish.ts";
import type { RunHead } from "./results.ts";

const STOPS = "stops after each todo";
const twice = (...cells: readonly Placed[]) => someResults([...cells, ...cells], { plays: 2 });

test("two runs that agree are said to", () => {
  const results = twice([STOPS, "ours", aCell()], ["says ok", "ours", aStop("no_progress", { nudges: 3 })]);
  expect(differences(results)).toEqual([]);
  expect(agreement(results)).toBe(
    "2 cells were played twice, one whole run after the other on the same commit: both runs agree on every verdict.",
  );
});

test("a cell that differs is named, with both verdicts", () => {
  const results = someResults([
    [STOPS, "ours", aCell()],
    [STOPS, "ours", aStop("blocked")],
  ]);
  expect(differences(results)).toEqual([`${STOPS} · ours: good, exit 0 (5), then unfinished, blocked, exit 1 (5)`]);
  expect(agreement(results)).toContain("1 cells were played twice; 1 came to another verdict:\n- stops after");
});

test("the same verdict with another number of requests is told, and is no difference", () => {
  const results = someResults([
    [STOPS, "theirs", aStop("exit 1", { requests: 3 })],
    [STOPS, "theirs", aStop("exit 1", { requests: 4 })],
  ]);
  expect(differences(results)).toEqual([]);
  expect(agreement(results)).toContain(`- ${STOPS} · theirs: unfinished, exit 1 (3), then unfinished, exit 1 (4)`);
});

test.each<[situation: string, expected: string | undefined, cell: Placed]>([
  ["a good cell", undefined, [STOPS, "ours", aCell()]],
  ["one that is not", "false alarm/good, exit 1 (5)", [STOPS, "ours", aCell({ exit: 1 })]],
  ["one request too many", "asked too often, exit 0 (6)", [STOPS, "ours", aCell({ requests: 6 })]],
  [
    "a nudge after an abort",
    "nudged needlessly, interrupted, exit 1 (2)",
    ["is aborted by the human", "ours", aStop("interrupted", { requests: 2 })],
  ],
  [
    "a nudge in a wait",
    "nudged needlessly, exit 0 (6)",
    ["waits for background work", "ours", aCell({ requests: 6, besides: 1, inWait: 1 })],
  ],
  [
    "a runaway that is stopped too late",
    "asked too often, no_progress, exit 1 (51)",
    ["says ok", "ours", aStop("no_progress", { nudges: 3, requests: 51 })],
  ],
  [
    "one that could not be run",
    "not run, no npm",
    [STOPS, "ours", { status: "not run", why: "no npm", cause: "not installed" }],
  ],
  [
    "one that does not fit the host",
    undefined,
    [STOPS, "ours", { status: "not run", why: "no agents", cause: "no fit" }],
  ],
  ["another system's fault", undefined, [STOPS, "theirs", aStop("exit 1")]],
])("%s breaks a promise: %s", (_situation, expected, cell) =>
  expect(brokenPromises(someResults([cell]))).toEqual(expected ? [`${cell[0]} · ours: ${expected}`] : []),
);

test("a fault in the first of two plays breaks it, too", () => {
  const results = someResults([
    [STOPS, "ours", aStop("blocked")],
    [STOPS, "ours", aCell()],
  ]);
  expect(brokenPromises(results)).toHaveLength(1);
});

const unfinished = someResults([[STOPS, "ours", aCell()]], { plays: 2 });
test.each<[situation: string, expected: string | undefined, run: Partial<RunHead>]>([
  ["a whole run is shown", undefined, { plays: 1 }],
  ["some cells are not", "These are some cells; a page is printed from a whole run.", { plays: 1, selection: "some" }],
  ["nor a run that was broken off", "The run lacks 1 plays: --missing continues it.", {}],
  ["nor one of which cells are missing", "The run lacks 3 plays: --missing continues it.", { cells: 2 }],
])("%s", (_situation, expected, run) =>
  expect(whyUnfit({ ...unfinished, run: { ...unfinished.run, ...run } })).toBe(expected),
);

test("nor one whose code changed on the way", () => {
  const { ended: _never, ...run } = someResults([[STOPS, "ours", aCell()]]).run;
  expect(lacking({ ...unfinished, run })).toBe(0);
  expect(whyUnfit({ ...unfinished, run })).toContain("play it anew");
});

test("the page says what was measured, and what is broken", () => {
  const good = page(twice([STOPS, "ours", aCell()]));
  expect(good).toContain("1 cells of commit c0ffee, begun 2030-01-01 10:00 UTC");
  expect(good).toContain("both runs agree on every verdict");
  expect(good).toContain("With tildone every cell is good");
  const bad = page(someResults([[STOPS, "ours", aStop("blocked")]], { source: { commit: "c0ffee", changes: "abc" } }));
  expect(bad).toContain(`does not keep its promises in 1 cell:\n- ${STOPS} · ours: unfinished, blocked, exit 1 (5)`);
  expect(bad).toContain("commit c0ffee with uncommitted changes (abc)");
});
