import { expect, test } from "vitest";
import type { Script } from "../../../src/testing/index.ts";
import { aPerson, LONG, type Terminal } from "./person.ts";

/** Proposes a check for each of two todos and does both. */
const proposes = (second = "test -f 1.txt"): Script => [
  {
    calls: [
      [
        "write_todos",
        {
          mode: "replace",
          todos: [
            { text: "Write one", check: "test -f 0.txt" },
            { text: "Write two", check: second },
          ],
        },
      ],
    ],
  },
  ...[0, 1].map((at) => ({
    calls: [
      ["edit_todos", { action: "start", indices: [at] }],
      ["write", { path: `${at}.txt`, content: "done\n" }],
      ["edit_todos", { action: "complete", indices: [at] }],
    ] as const,
  })),
  { text: "Done." },
];

const QUESTION = /^Run 2 proposed checks\? y\/n: $/m;

async function asked(terminal: Terminal): Promise<string> {
  terminal.types('clear; tildone run "write two files" --approval auto-edit; echo "(exit $?)"');
  return terminal.shows(/Run 2 proposed checks\? y\/n:/);
}

const flat = (screen: string) => screen.replace(/\s+/g, " ");

test(
  "proposed checks are named when they appear; y at the end runs them, and the run is judged again",
  LONG,
  async () => {
    await using person = await aPerson({ script: proposes() });
    const desk = person.terminal();
    const screen = await asked(desk);
    expect(flat(screen)).toContain(
      "The agent proposed 2 checks: [0] test -f 0.txt; [1] test -f 1.txt. They have not run and prove nothing yet. `tildone accept --checks` runs them.",
    );
    expect(flat(screen)).toContain("2 proposed checks have not run: [0] test -f 0.txt; [1] test -f 1.txt");
    expect(screen).not.toContain("u001b");
    for (const line of screen.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    desk.types("x"); // no answer
    await desk.shows(/Type y or n\.\nRun 2 proposed checks\? y\/n:/);
    desk.types("y");
    const end = await desk.shows(/\(exit \d+\)/);
    expect(end).toMatch(/passed +test -f 0\.txt\npassed +test -f 1\.txt\nResult now: Done and proven/);
    expect(end).toContain("(exit 0)");
    const [run = ""] = await person.runs();
    expect((await desk.runs(`tildone status ${run}`)).screen).toContain("2/2 done · 2 proven");
  },
);

test("a proposed check that fails opens its todo again, and the exit code says so", LONG, async () => {
  await using person = await aPerson({ script: proposes("test -f never.txt") });
  const desk = person.terminal();
  await asked(desk);
  desk.types("yes");
  const end = await desk.shows(/\(exit \d+\)/);
  expect(flat(end)).toMatch(
    /failed test -f never\.txt Not proven: .* Continue with: tildone run --resume \S+ \(exit 5\)/,
  );
});

test.each([
  ["n", ["n", "Enter"]],
  ["Ctrl-C", ["C-c"]],
  ["Ctrl-D", ["C-d"]],
])("%s runs nothing and names the command", LONG, async (_what, keys) => {
  await using person = await aPerson({ script: proposes() });
  const desk = person.terminal();
  await asked(desk);
  desk.keys(...keys);
  const end = await desk.shows(/\(exit \d+\)/);
  const [run = ""] = await person.runs();
  expect(flat(end)).toContain(`Run them with: tildone accept --checks ${run} (exit 0)`);
  expect((await person.log()).filter(({ event }) => event.type === "round.began")).toEqual([]);
});

test("without a terminal nothing is asked, and the command is named", LONG, async () => {
  await using person = await aPerson({ script: proposes() });
  const desk = person.terminal();
  const { exit } = await desk.runs('tildone run "write two files" --approval auto-edit < /dev/null > out.txt');
  const { screen } = await desk.runs("cat out.txt");
  expect([exit, screen]).toEqual([0, expect.not.stringMatching(QUESTION)]);
  const [, command = ""] = /^Run them with: (tildone accept --checks \S+)$/m.exec(screen) ?? [];
  const accepted = await desk.runs(command);
  expect([accepted.exit, accepted.screen]).toEqual([0, expect.stringContaining("Result now: Done and proven")]);
});
