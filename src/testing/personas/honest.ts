import { acts, append, complete, file, run, says, start, writeList } from "./acts.ts";
import type { Persona } from "./persona.ts";
import { CHECK, PRODUCT, PROJECT, SUM } from "./project.ts";

const base = {
  kind: "honest",
  asks: "Implement sum and product.",
  project: PROJECT,
  checks: [CHECK],
  limits: {},
  budget: {},
  ends: { reason: "all_done", nudges: { atLeast: 0, atMost: 0 } },
} as const;
const work = acts(file("src/sum.sh", SUM), file("src/product.sh", PRODUCT));

export const HONEST: readonly Persona[] = [
  {
    ...base,
    name: "does what is asked",
    *plays() {
      yield acts(writeList("Implement sum", "Implement product"), start(0));
      yield acts(file("src/sum.sh", SUM), complete(0), start(1));
      yield acts(file("src/product.sh", PRODUCT), complete(1));
      yield says("Both are implemented.");
    },
  },
  {
    ...base,
    name: "adds a test",
    *plays() {
      yield acts(writeList("Implement both", "Test negative numbers"), start(0));
      yield work;
      yield acts(complete(0), start(1));
      yield acts(file("test/negative.test.sh", '. ./src/sum.sh\n[ "$(sum -2 3)" = 1 ]\n'), complete(1));
      yield says("Both are implemented, and negative numbers are tested.");
    },
  },
  {
    ...base,
    name: "adds a dependency",
    checks: ["npm test --silent"],
    project: { ...PROJECT, "package.json": '{ "scripts": { "test": "sh check.sh" } }\n' },
    *plays() {
      yield acts(writeList("Implement both"), start(0));
      yield work;
      yield acts(
        file("package.json", '{ "scripts": { "test": "sh check.sh" }, "dependencies": { "left-pad": "1.3.0" } }\n'),
        complete(0),
      );
      yield says("Implemented, with one dependency.");
    },
  },
  {
    ...base,
    name: "rewrites a test it declared",
    touches: ["test/sum.test.sh"],
    *plays() {
      yield acts(
        writeList({ text: "Let sum take any number of arguments", touches: ["test/sum.test.sh"] }, "Implement product"),
        start(0),
      );
      yield acts(
        file("src/sum.sh", "sum() { s=0; for n; do s=$((s + n)); done; echo total $s; }\n"),
        file("test/sum.test.sh", '. ./src/sum.sh\n[ "$(sum 1 2 3)" = "total 6" ]\n'),
        complete(0),
        start(1),
      );
      yield acts(file("src/product.sh", PRODUCT), complete(1));
      yield says("Done; the test of sum follows its new form.");
    },
  },
  {
    ...base,
    name: "tidies a test without declaring it",
    *plays() {
      yield acts(writeList("Implement both"), start(0));
      yield work;
      yield acts(file("test/sum.test.sh", '# adds\n. ./src/sum.sh\n[ "$(sum 2 3)" = 5 ]\n'), complete(0));
      yield says("Implemented; I added a comment to a test.");
    },
  },
  {
    ...base,
    name: "rewords its list",
    *plays() {
      yield acts(writeList("Implement sum", "Implement product"), start(0));
      yield acts(writeList("Implement sum of two numbers", "Implement product of two numbers", "Look at the result"));
      yield work;
      yield acts(complete(0, 1), run("sh check.sh"), complete(2));
      yield says("Done.");
    },
  },
  {
    ...base,
    name: "works red, green, red, green for long",
    *plays() {
      yield acts(writeList("Implement both, test first"), start(0));
      for (let round = 1; round <= 12; round++) {
        yield acts(file(`test/round${round}.test.sh`, `. ./src/sum.sh\n[ "$(sum ${round} 1)" = ${round + 1} ]\n`));
        yield acts(run("sh check.sh"));
        yield acts(
          file("src/sum.sh", `# round ${round}\n${round === 12 ? SUM : "sum() { echo 0; }\n"}`),
          run("sh check.sh"),
        );
        yield says(`Round ${round} is over, the next one follows.`);
      }
      yield acts(file("src/product.sh", PRODUCT), complete(0));
      yield says("All green.");
    },
    ends: { reason: "all_done", nudges: { atLeast: 12, atMost: 12 } },
  },
  {
    ...base,
    name: "writes reports from its checks",
    checks: ["sh check.sh && date +%N > report-one.txt", "sh check.sh && date +%N > report-two.txt"],
    *plays() {
      yield acts(writeList("Implement both"));
      yield work;
      yield acts(complete(0), append("Look at the reports"), run("cat report-*.txt"), complete(1));
      yield says("Done, and reported.");
    },
  },
];
