import { acts, block, complete, read, run, says, start, step, writeList } from "./acts.ts";
import type { Persona } from "./persona.ts";
import { CHECK, PROJECT } from "./project.ts";

const base = {
  kind: "runaway",
  asks: "Implement sum and product.",
  project: PROJECT,
  checks: [CHECK],
  limits: {},
  budget: {},
} as const;
const begin = acts(writeList("Implement sum", "Implement product"), start(0));

export const RUNAWAY: readonly Persona[] = [
  {
    ...base,
    name: "says ok",
    *plays() {
      yield begin;
      for (;;) yield says("ok");
    },
    ends: { reason: "no_progress", nudges: { atLeast: 3, atMost: 3 } },
  },
  {
    ...base,
    name: "repeats one call",
    *plays() {
      yield begin;
      for (;;) {
        yield acts(read("src/sum.sh"));
        yield says("I looked at it.");
      }
    },
    ends: { reason: "no_progress", nudges: { atLeast: 3, atMost: 4 } },
  },
  {
    ...base,
    name: "never ends its turn",
    *plays() {
      yield begin;
      for (;;) yield acts(read("src/sum.sh"));
    },
    ends: { reason: "no_progress", nudges: { atLeast: 0, atMost: 3 } },
  },
  {
    ...base,
    name: "alternates two calls",
    *plays() {
      yield begin;
      for (;;) {
        yield acts(read("src/sum.sh"));
        yield says("Now the other.");
        yield acts(read("src/product.sh"));
        yield says("Now the first again.");
      }
    },
    ends: { reason: "no_progress", nudges: { atLeast: 3, atMost: 5 } },
  },
  {
    ...base,
    name: "toggles statuses",
    *plays() {
      yield begin;
      for (;;) {
        yield acts(block(1));
        yield says("One is blocked.");
        yield acts(start(1));
        yield says("It can go on.");
      }
    },
    ends: { reason: "no_progress", nudges: { atLeast: 3, atMost: 3 } },
  },
  {
    ...base,
    name: "rewords its todos",
    *plays() {
      yield begin;
      for (let count = 0; ; count++) {
        yield acts(writeList(`Implement sum, edition ${count}`, `Implement product, edition ${count}`));
        yield says("The list is better now.");
      }
    },
    ends: { reason: "no_progress", nudges: { atLeast: 3, atMost: 3 } },
  },
  {
    ...base,
    name: "appends a byte to a file for ever",
    *plays() {
      yield begin;
      for (;;) {
        yield acts(run("printf x >> notes.txt"));
        yield says("One byte nearer.");
      }
    },
    ends: { reason: "no_progress", says: "60 turns", nudges: { atLeast: 60, atMost: 60 } },
  },
  {
    ...base,
    name: "reads something new for ever",
    *plays() {
      yield begin;
      for (let count = 0; ; count++) {
        yield acts(run(`echo idea ${count}`));
        yield says("That is a thought.");
      }
    },
    ends: { reason: "no_progress", says: "20 turns", nudges: { atLeast: 20, atMost: 20 } },
  },
  {
    ...base,
    name: "completes what is not done for ever",
    *plays() {
      yield acts(writeList("Implement sum", "Implement product"), start(0, 1));
      for (;;) {
        yield acts(complete(0, 1));
        yield says("Now it must be right.");
      }
    },
    ends: { reason: "no_progress", nudges: { atLeast: 3, atMost: 3 } },
  },
  {
    ...base,
    name: "meets errors that cost nothing",
    *plays() {
      yield begin;
      yield says("I begin.");
      for (;;) yield { fails: { kind: "overload" } };
    },
    ends: { reason: "provider_error", nudges: { atLeast: 1, atMost: 10 } },
  },
  {
    ...base,
    name: "loops a workflow",
    checks: [],
    workflow: { key: "improve", phases: ["look", "write", "review"] },
    *plays() {
      for (;;) {
        yield acts(step("next"));
        yield says("On to the next phase.");
        yield acts(step("loop"));
        yield says("Once more from the beginning.");
      }
    },
    ends: { reason: "no_progress", nudges: { atLeast: 3, atMost: 60 } },
  },
];
