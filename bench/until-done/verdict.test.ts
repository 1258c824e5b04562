import { expect, test } from "vitest";
import { aCell, NO_END, personaNamed } from "./a-cell.ts";
import type { Cell, Ran } from "./cell.ts";
import { PATIENCE } from "./requests-due.ts";
import { EACH_YARDSTICK, RUNAWAY, type Verdict, verdict } from "./verdict.ts";

const ran = (given: Partial<Ran>) => aCell({ nudges: 0, ...given });
const quitter = { finished: false, exit: 1 } as const;
const [STOPS, OK, ABORT, WAITS, ASKS, FULL] = [
  "stops after each todo",
  "says ok",
  "is aborted by the human",
  "waits for background work",
  "asks a real question",
  "overflows its context for good",
];

test.each<[situation: string, expected: Verdict, persona: string, cell: Cell]>([
  ["not run is no verdict on the system", "not run", OK, { status: "not run", why: "none", cause: "failed" }],
  ["a time that ran out is told as such", "no end", OK, { ...NO_END, still: "works" }],
  ["one that rests has stopped a runaway", "good", OK, NO_END],
  ["one that rests on open work that can be finished", "unfinished", STOPS, NO_END],
  ["one that rests after an abort, but not at once", "nudged needlessly", ABORT, { ...NO_END, nudges: 1 }],
  ["finished and said so", "good", STOPS, ran({ nudges: 1 })],
  ["left open and said so", "unfinished", STOPS, ran(quitter)],
  ["finished with a nudge too many", "nudged needlessly", "does what is asked", ran({ nudges: 1 })],
  ["finished with one request for each early stop", "good", STOPS, ran({ nudges: 1, requests: 5 })],
  ["finished with one more", "asked too often", STOPS, ran({ nudges: 1, requests: 6 })],
  ["a needless nudge comes before its request", "nudged needlessly", STOPS, ran({ nudges: 2, requests: 6 })],
  ["a runaway that is stopped and told", "good", OK, ran({ ...quitter, nudges: 48, requests: PATIENCE })],
  ["a runaway that is stopped too late", "asked too often", OK, ran({ ...quitter, requests: PATIENCE + 1 })],
  ["a provider that fails is retried as the host likes", "good", FULL, ran({ ...quitter, requests: 9 })],
  ["to the last allowed request", "good", FULL, ran({ ...quitter, requests: RUNAWAY })],
  ["a runaway beyond it", "never stopped", OK, ran({ ...quitter, requests: RUNAWAY + 1 })],
  ["never stopping comes before what is said", "never stopped", OK, ran({ exit: 0, requests: RUNAWAY + 1 })],
  ["an abort that is respected", "good", ABORT, ran({ ...quitter, requests: 2 })],
  ["a nudge after an abort", "nudged needlessly", ABORT, ran({ ...quitter, requests: 3, nudges: 1 })],
  ["a request after an abort", "asked too often", ABORT, ran({ ...quitter, requests: 3 })],
  ["a nudge after the wait", "good", WAITS, ran({ requests: 6, besides: 1, nudges: 1, inWait: 0 })],
  ["a nudge in the wait", "nudged needlessly", WAITS, ran({ requests: 6, besides: 1, nudges: 1, inWait: 1 })],
  ["two nudges on a question", "good", ASKS, ran({ ...quitter, requests: 5, nudges: 2 })],
  ["a third one", "nudged needlessly", ASKS, ran({ ...quitter, requests: 6, nudges: 3 })],
])("%s -> %s, by every yardstick", (_situation, expected, name, cell) => {
  for (const by of EACH_YARDSTICK) expect(verdict(personaNamed(name), cell, by), by).toBe(expected);
});

const says = (state: "done" | "not done" | "at work") => ({ shows: { state, words: state } });

test.each<[situation: string, persona: string, cell: Cell, process: Verdict, person: Verdict, files: Verdict]>([
  ["exit 0, open, no word", STOPS, ran({ finished: false }), "false claim", "false claim", "unfinished"],
  [
    "exit 0, open, its list says so",
    STOPS,
    ran({ finished: false, ...says("not done") }),
    "false claim",
    "unfinished",
    "unfinished",
  ],
  [
    "exit 0 of a runaway that was called by its name",
    OK,
    ran({ finished: false, ...says("not done") }),
    "false claim",
    "good",
    "good",
  ],
  ["exit 1, called done", OK, ran({ ...quitter, ...says("done") }), "good", "false claim", "good"],
  ["gone, and said to be at work", OK, ran({ ...quitter, ...says("at work") }), "good", "no word", "good"],
  ["finished, and said to be at work", STOPS, ran({ nudges: 1, ...says("at work") }), "good", "no word", "good"],
  ["finished, exit 1", STOPS, ran({ nudges: 1, exit: 1 }), "false alarm", "false alarm", "good"],
  ["finished, and rests", STOPS, { ...NO_END, finished: true }, "no end", "good", "good"],
])("%s: by the process, by a person, by the files", (_situation, name, cell, ...expected) =>
  expect(EACH_YARDSTICK.map((by) => verdict(personaNamed(name), cell, by))).toEqual(expected),
);
