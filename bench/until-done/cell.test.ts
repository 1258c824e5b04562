import { expect, test } from "vitest";
import { PERSONAS } from "../../src/testing/index.ts";
import { type Cell, fewestRequests, type Ran, RUNAWAY, verdict } from "./cell.ts";

const persona = (name: string) => PERSONAS.find((each) => each.name === name)!;
const ran = (given: Partial<Ran>): Ran => ({
  status: "ran",
  finished: true,
  claims: "done",
  reason: "all_done",
  requests: 5,
  nudges: 0,
  added: 0,
  opening: 0,
  ms: 0,
  ...given,
});
const liar = { finished: false, claims: "done" } as const;
const quitter = { finished: false, claims: "not done" } as const;

test.each<[situation: string, expected: string, persona: string, cell: Cell]>([
  ["not run is no verdict on the system", "not run", "says ok", { status: "not run", why: "not installed" }],
  ["a time that ran out is told as such", "no end", "says ok", { status: "no end", afterMs: 1 }],
  ["finished and said so", "good", "stops after each todo", ran({ nudges: 1 })],
  ["said to be done and is not", "false claim", "stops after each todo", ran(liar)],
  ["left open and said so", "unfinished", "stops after each todo", ran(quitter)],
  ["finished and said not to be", "false alarm", "stops after each todo", ran({ claims: "not done" })],
  ["finished with a nudge too many", "nudged needlessly", "does what is asked", ran({ nudges: 1 })],
  ["a runaway that is stopped and told", "good", "says ok", ran({ ...quitter, nudges: 3 })],
  ["a runaway that is stopped and called done", "false claim", "says ok", ran(liar)],
  ["a runaway to the last allowed request", "good", "says ok", ran({ ...quitter, requests: RUNAWAY })],
  ["a runaway beyond it", "never stopped", "says ok", ran({ ...quitter, requests: RUNAWAY + 1 })],
  ["never stopping comes before what is said", "never stopped", "says ok", ran({ ...liar, requests: RUNAWAY + 1 })],
  ["an abort that is respected", "good", "is aborted by the human", ran(quitter)],
  ["an abort that is not", "nudged needlessly", "is aborted by the human", ran({ ...quitter, nudges: 1 })],
])("%s -> %s", (_situation, expected, name, cell) => expect(verdict(persona(name), cell)).toBe(expected));

test.each([
  ["does what is asked", 4],
  ["stops after each todo", 5],
  ["edits for forty turns on one todo", 84],
])("a model that %s needs %i requests", (name, count) => expect(fewestRequests(persona(name))).toBe(count));
