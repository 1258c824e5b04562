import { expect, test } from "vitest";
import { aCell, NO_END, personaNamed } from "./a-cell.ts";
import type { Cell } from "./cell.ts";
import { RUNAWAY, verdict } from "./verdict.ts";

const ran = (given: Parameters<typeof aCell>[0]) => aCell({ nudges: 0, ...given });
const liar = { finished: false, claims: "done" } as const;
const quitter = { finished: false, claims: "not done" } as const;
const [STOPS, OK, ABORT, WAITS] = [
  "stops after each todo",
  "says ok",
  "is aborted by the human",
  "waits for background work",
];

test.each<[situation: string, expected: string, persona: string, cell: Cell]>([
  ["not run is no verdict on the system", "not run", OK, { status: "not run", why: "none", cause: "failed" }],
  ["a time that ran out is told as such", "no end", OK, NO_END],
  ["finished and said so", "good", STOPS, ran({ nudges: 1 })],
  ["said to be done and is not", "false claim", STOPS, ran(liar)],
  ["left open and said so", "unfinished", STOPS, ran(quitter)],
  ["finished and said not to be", "false alarm", STOPS, ran({ claims: "not done" })],
  ["finished with a nudge too many", "nudged needlessly", "does what is asked", ran({ nudges: 1 })],
  ["finished with one request for each early stop", "good", STOPS, ran({ nudges: 1, requests: 5 })],
  ["finished with one more", "asked too often", STOPS, ran({ nudges: 1, requests: 6 })],
  ["a needless nudge comes before its request", "nudged needlessly", STOPS, ran({ nudges: 2, requests: 6 })],
  ["a runaway that is stopped and told", "good", OK, ran({ ...quitter, nudges: 3, requests: 5 })],
  ["a runaway that is stopped too late", "asked too often", OK, ran({ ...quitter, nudges: 3, requests: 6 })],
  ["a runaway that is stopped and called done", "false claim", OK, ran(liar)],
  [
    "a provider that fails is retried as the host likes",
    "good",
    "overflows its context for good",
    ran({ ...quitter, requests: 9 }),
  ],
  ["to the last allowed request", "good", "overflows its context for good", ran({ ...quitter, requests: RUNAWAY })],
  ["a runaway beyond it", "never stopped", OK, ran({ ...quitter, requests: RUNAWAY + 1 })],
  ["never stopping comes before what is said", "never stopped", OK, ran({ ...liar, requests: RUNAWAY + 1 })],
  ["an abort that is respected", "good", ABORT, ran({ ...quitter, requests: 2 })],
  ["a nudge after an abort", "nudged needlessly", ABORT, ran({ ...quitter, requests: 3, nudges: 1 })],
  ["a request after an abort", "asked too often", ABORT, ran({ ...quitter, requests: 3 })],
  ["a nudge after the wait", "good", WAITS, ran({ requests: 6, besides: 1, nudges: 1, inWait: 0 })],
  ["a nudge in the wait", "nudged needlessly", WAITS, ran({ requests: 6, besides: 1, nudges: 1, inWait: 1 })],
  ["a nudge on a question", "nudged needlessly", "asks a real question", ran({ ...quitter, requests: 4, nudges: 2 })],
])("%s -> %s", (_situation, expected, name, cell) => expect(verdict(personaNamed(name), cell)).toBe(expected));
