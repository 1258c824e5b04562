import { acts, complete, file, read, run, says, start, writeList } from "./acts.ts";
import type { Persona } from "./persona.ts";
import { CHECK, PRODUCT, PROJECT, SUM } from "./project.ts";

const base = { kind: "long", project: PROJECT, limits: {}, budget: {} } as const;

export const LONG_WORK: readonly Persona[] = [
  {
    ...base,
    name: "edits for forty turns on one todo",
    asks: "Implement sum and product, carefully.",
    checks: [CHECK],
    *plays() {
      yield acts(writeList("Implement both, step by step"), start(0));
      yield says("I begin.");
      for (let turn = 1; turn <= 40; turn++) {
        yield acts(file("src/sum.sh", `# draft ${turn}\nsum() { echo ${turn}; }\n`));
        yield says(`Draft ${turn} stands; the next follows.`);
      }
      yield acts(file("src/sum.sh", SUM), file("src/product.sh", PRODUCT), complete(0));
      yield says("Done.");
    },
    ends: { reason: "all_done", nudges: { atLeast: 41, atMost: 41 } },
  },
  {
    ...base,
    name: "reads for fifteen turns before it writes",
    asks: "Find out why sum is wrong, then say so in answer.txt.",
    checks: ["test -s answer.txt"],
    project: {
      ...PROJECT,
      ...Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`notes/${n}.txt`, `note ${n}\n`])),
    },
    *plays() {
      yield acts(writeList("Read the notes and answer"), start(0));
      yield says("I begin to read.");
      for (let note = 0; note < 15; note++) {
        yield acts(read(`notes/${note}.txt`));
        yield says(`I have read note ${note}.`);
      }
      yield acts(run("echo 'sum returns a constant' > answer.txt"), complete(0));
      yield says("The answer stands in answer.txt.");
    },
    ends: { reason: "all_done", nudges: { atLeast: 16, atMost: 16 } },
  },
];
