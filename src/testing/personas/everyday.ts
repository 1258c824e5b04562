import { acts, complete, file, says, start, writeList } from "./acts.ts";
import type { Persona, Step, View } from "./persona.ts";
import { CHECK, PRODUCT, PROJECT, SUM } from "./project.ts";

const base = {
  kind: "everyday",
  asks: "Implement sum and product.",
  project: PROJECT,
  checks: [CHECK],
  limits: {},
  budget: {},
} as const;
const begin = acts(writeList("Implement sum", "Implement product"), start(0));

/** Does the first item, ends the turn with these words, does the second when asked again. */
function* stopsBetween(words: string, ...more: readonly string[]): Generator<Step, void, View> {
  yield begin;
  yield acts(file("src/sum.sh", SUM), complete(0));
  for (const each of [words, ...more]) yield says(each);
  yield acts(start(1), file("src/product.sh", PRODUCT), complete(1));
  yield says("Everything is done.");
}

const oneMore = { reason: "all_done", nudges: { atLeast: 1, atMost: 1 } } as const;

/** What models do every day that leaves a list unfinished. */
export const EVERYDAY: readonly Persona[] = [
  { ...base, name: "stops after each todo", plays: () => stopsBetween("Item 0 is done."), ends: oneMore },
  {
    ...base,
    name: "asks permission",
    plays: () => stopsBetween("Sum is done. Shall I continue with product?"),
    ends: oneMore,
  },
  {
    ...base,
    name: "announces the next step and stops",
    plays: () => stopsBetween("Next, I will implement product."),
    ends: oneMore,
  },
  {
    ...base,
    name: "claims completion too early",
    plays: () => stopsBetween("All items are completed!"),
    ends: oneMore,
  },
  {
    ...base,
    name: "asks a real question",
    plays: () =>
      stopsBetween("Should product accept strings, or numbers only?", "Strings or numbers: which do you mean?"),
    ends: { reason: "question", nudges: { atLeast: 1, atMost: 1 } },
  },
  {
    ...base,
    name: "fails, then recovers",
    *plays() {
      yield begin;
      yield acts(file("src/sum.sh", SUM), complete(0));
      yield { fails: { kind: "overload" } };
      yield { fails: { kind: "overload" } };
      yield acts(start(1), file("src/product.sh", PRODUCT), complete(1));
      yield says("Everything is done.");
    },
    ends: { reason: "all_done", nudges: { atLeast: 2, atMost: 2 } },
  },
  {
    ...base,
    name: "is rate-limited",
    *plays() {
      yield begin;
      yield acts(file("src/sum.sh", SUM), complete(0));
      yield { fails: { kind: "rate_limit", resetInMs: 3_600_000 } };
      yield acts(start(1), file("src/product.sh", PRODUCT), complete(1));
      yield says("Everything is done.");
    },
    ends: oneMore,
  },
  {
    ...base,
    name: "overflows its context and is compacted",
    *plays() {
      yield begin;
      yield acts(file("src/sum.sh", SUM), complete(0));
      yield { say: "Item 0 is done.", meanwhile: "host compacts" };
      yield acts(start(1), file("src/product.sh", PRODUCT), complete(1));
      yield says("Everything is done.");
    },
    ends: oneMore,
  },
  {
    ...base,
    name: "overflows its context for good",
    *plays() {
      yield begin;
      for (;;) yield { fails: { kind: "context_full" } };
    },
    ends: { reason: "context_full", nudges: { atLeast: 0, atMost: 0 } },
  },
  {
    ...base,
    name: "is aborted by the human",
    *plays() {
      yield begin;
      yield { calls: [file("src/sum.sh", SUM)], meanwhile: "human aborts" };
      yield says("I should not have been asked again.");
    },
    ends: { reason: "interrupted", nudges: { atLeast: 0, atMost: 0 } },
  },
  {
    ...base,
    name: "waits for background work",
    *plays() {
      yield begin;
      yield acts(file("src/sum.sh", SUM), complete(0));
      yield { say: "An agent writes product; I wait for it.", meanwhile: "agent works on" };
      yield acts(start(1), file("src/product.sh", PRODUCT), complete(1));
      yield says("Everything is done.");
    },
    ends: oneMore,
  },
];
