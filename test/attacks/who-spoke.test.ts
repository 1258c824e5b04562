import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Envelope } from "../../src/core/run/index.ts";
import type { ModelRequest, Step } from "../../src/testing/index.ts";
import { aPerson, type Person, until } from "../e2e/person/person.ts";
import { writeList } from "../e2e/pi/models.ts";
import { attack, LOOSENING, toldIn } from "./who-spoke.ts";

const LONG = { timeout: 240_000 };
const YOLO = "approval:\n  mode: yolo\n";

/** Writes a list of two, runs one command in a shell, and stops. */
function runs(command: string): (request: ModelRequest) => Step {
  return ({ messages }) => {
    const tools = messages.filter(({ role }) => role === "tool").length;
    if (tools === 0) return { calls: [writeList(2)] };
    return tools === 1 ? { calls: [["bash", { command }]] } : { text: "I stop here." };
  };
}

const KINDS = [
  ...[
    "accept",
    "accept_checks",
    "approve",
    "extend",
    "todo_done",
    "todo_drop",
    "todo_change",
    "unhold",
    "trust",
    "resume",
    "serve",
  ],
];

const told = ({ project }: Person) => {
  const file = join(project, "told.txt");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

/** What stands in the log in your name, apart from the goal and talk. */
const yours = (log: readonly Envelope[]) =>
  log.filter(
    ({ by, event }) =>
      by === "human" && !["human.spoke", "run.began", "run.launched", "human.interrupted"].includes(event.type),
  );

async function attacked(person: Person, start: string): Promise<void> {
  person.file("project/.tildone/commands/x.md", "Say x.\n");
  person.file("project/attack.sh", attack());
  const desk = person.terminal();
  desk.types(`clear; ${start}; echo "(exit $?)"`);
  await until(() => told(person).includes("== end"), "every way was tried", 200_000);
  const answers = toldIn(told(person));
  expect(answers.size).toBeGreaterThan(LOOSENING.length);
  for (const [attempt, answer] of answers)
    expect(`${attempt}: ${answer}`).toMatch(/Refused: only you can .*Nothing was changed\./);
  const log = await person.log();
  expect(yours(log)).toEqual([]);
  expect(log.some(({ event }) => event.type === "todo.removed" || event.type === "budget.extended")).toBe(false);
  await desk.shows(/\(exit \d+\)/);
  await tellsOfIt(person);
}

/** What it tried stands in the log of its run, once of each kind, and every way to look at a run says so. */
async function tellsOfIt(person: Person): Promise<void> {
  const tried = (await person.log()).flatMap(({ event }) => (event.type === "attempt.refused" ? [event] : []));
  expect(tried.map(({ attempt: kind }) => kind).sort()).toEqual([...KINDS].sort());
  for (const { because, from } of tried) {
    expect(because).toMatch(/process \d+/);
    expect(from).toMatchObject({ via: expect.stringMatching(/^(terminal|process)$/), pid: expect.any(Number) });
  }
  const desk = person.terminal();
  await desk.runs("tildone report > report.md; tildone why > why.txt; tildone log > log.txt");
  const read = (file: string) => readFileSync(join(person.project, file), "utf8").replaceAll(/\s+/g, " ");
  expect(read("report.md")).toContain("## Tried by the agent in your name");
  for (const file of ["report.md", "log.txt"])
    expect(read(file)).toContain("refused: the agent tried to raise a budget (tildone extend --tokens 999999)");
  expect(read("why.txt")).toMatch(/refused: the agent tried to (?:[a-z ]+) \(tildone /);
}

test("an agent of tildone run that speaks in your name through its shell is refused, whichever way", LONG, async () => {
  await using person = await aPerson({ script: runs("sh attack.sh"), config: YOLO });
  await attacked(person, 'tildone run "two things" --max-continuations 1');
});

test("an agent in pi is refused, too", LONG, async () => {
  await using person = await aPerson({ script: runs("sh attack.sh") });
  const pi = resolve("node_modules/.bin/pi");
  await attacked(person, `'${pi}' -p -e '${resolve(".")}' "two things"`);
});

test("what you type beside it counts, and what left every process tree is said to be unclear", LONG, async () => {
  const wait = "while [ ! -e go ]; do sleep 0.2; done";
  const leave = `env -u TILDONE_GROUP setsid -f sh -c 'sleep 1; tildone extend --tokens 7; echo $? > left'; ${wait}`;
  await using person = await aPerson({ script: runs(leave), config: YOLO });
  const desk = person.terminal();
  desk.types('clear; tildone run "two things" --max-tokens 100000 --max-continuations 1; echo "(exit $?)"');
  await until(() => existsSync(join(person.project, "left")), "the process that left spoke");
  expect(readFileSync(join(person.project, "left"), "utf8")).toBe("0\n");
  const other = person.terminal();
  for (const [line, exit] of [
    ["tildone extend --tokens 5", 0],
    ["tildone hold", 0],
    ["tildone unhold", 0],
    ["tildone todo drop 1", 0],
    ["tildone todo done 0", 0],
    ["CLAUDECODE=1 tildone extend --tokens 6", 0], // a mark alone refuses nothing
  ] as const)
    expect({ line, exit: (await other.runs(line)).exit }).toEqual({ line, exit });
  writeFileSync(join(person.project, "go"), "");
  await desk.shows(/\(exit \d+\)/);
  const words = yours(await person.log()).map(({ event }) => event);
  const typed = words.filter(
    ({ type }) => type === "todo.removed" || type === "human.unheld" || type === "todo.completed",
  );
  expect(typed.length).toBeGreaterThanOrEqual(3);
  for (const { from } of typed) expect(from).toMatchObject({ via: "terminal", tty: expect.stringMatching(/^pts\//) });
  expect(typed.every(({ from }) => from?.unclear === undefined)).toBe(true);

  const { screen } = await other.runs(
    "tildone report > report.md; grep -A9 'in your name' report.md; grep -A3 'Removed' report.md",
  );
  const report = readFileSync(join(person.project, "report.md"), "utf8");
  expect(report).toContain("## Done in your name, but not at a terminal");
  expect(report).toMatch(
    /budget raised: 7 tokens: from a program without a terminal, perhaps from inside the agent's process tree/,
  );
  expect(report).toMatch(/budget raised: 6 tokens: at pts\/\d+, perhaps .*CLAUDECODE/);
  expect(report).not.toMatch(/budget raised: 5 tokens: /);
  expect(report).toMatch(/## Removed by you\n\n- .* item 1 \(at pts\/\d+\)/);
  expect(screen).toContain("item 1");
  expect((await other.runs("tildone why")).screen.replaceAll(/\s+/g, " ")).toContain("inside the agent's process tree");
});

test.each([
  ["pi", `'${resolve("node_modules/.bin/pi")}' -e '${resolve(".")}'`],
  ["the terminal of tildone", "tildone"],
])("what you type after ! in %s is yours, also while its agent works", LONG, async (_host, start) => {
  const wait = "while [ ! -e go ]; do sleep 0.2; done";
  await using person = await aPerson({ script: runs(`touch began; ${wait}; sh attack.sh`), config: YOLO });
  person.file(
    "project/attack.sh",
    'told="$PWD/told.txt"; tildone todo done 0 > "$told" 2>&1; echo "== end" >> "$told"',
  );
  const desk = person.terminal();
  desk.types(`clear; ${start}`);
  await desk.shows(/\$0\.000|0\.0%/);
  desk.types("two things");
  await until(async () => {
    desk.keys("Enter"); // what is typed while it starts stays in the editor
    await new Promise((done) => setTimeout(done, 500));
    return existsSync(join(person.project, "began"));
  }, "the agent works");
  desk.types("!tildone todo drop 1");
  const removed = async () => (await person.log()).find(({ event }) => event.type === "todo.removed")?.event;
  await until(async () => (await removed()) !== undefined, "it was dropped");
  expect((await removed())?.from?.unclear).toBeUndefined();
  writeFileSync(join(person.project, "go"), "");
  await until(() => told(person).includes("== end"), "the agent spoke");
  expect(told(person).replaceAll(/\s+/g, " ")).toContain("Refused: only you can mark a todo as done");
});

test("your own notifier may answer for you while the agent works", LONG, async () => {
  const config = ["approval:", "  mode: ask", 'notify: "tildone approve > \\"$HOME/answered\\" 2>&1"', ""].join("\n");
  await using person = await aPerson({ script: runs("touch made"), config });
  const desk = person.terminal();
  desk.types('clear; tildone run "two things" --max-continuations 1 | cat; echo "(exit $?)"');
  await until(() => existsSync(join(person.project, "made")), "the call that the notifier approved ran");
  expect(readFileSync(join(person.root, "answered"), "utf8")).toContain("Approved in");
});
