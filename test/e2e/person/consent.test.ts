import { expect, test } from "vitest";
import type { Script, Step } from "../../../src/testing/index.ts";
import { aPerson, LONG } from "./person.ts";

const LIST = { mode: "replace", todos: [{ text: "Write one" }, { text: "Write two" }] };
const write = (at: number): Step => ({
  calls: [
    ["edit_todos", { action: "start", indices: [at] }],
    ["write", { path: `${at}.txt`, content: "done\n" }],
    ["edit_todos", { action: "complete", indices: [at] }],
  ],
});

/** Does the first item, asks, and does the second when it is asked again. */
const asking = (...questions: readonly string[]): Script => [
  { calls: [["write_todos", LIST]] },
  write(0),
  ...questions.map((text): Step => ({ text })),
  write(1),
  { text: "Done." },
];

test.each([
  ["Soll ich weitermachen?", "Darf ich mit dem nächsten Punkt fortfahren?"],
  ["是否继续下一个任务？", "要我继续吗？"],
  ["¿Continúo?", "¿Quieres que siga con la siguiente tarea?"],
])("%s %s is answered with the list, and with nothing that permits more", LONG, async (...questions) => {
  await using person = await aPerson({ script: asking(...questions) });
  const { exit, screen } = await person.terminal().runs('tildone run "write two files" --approval auto-edit');
  expect([exit, screen]).toEqual([0, expect.stringMatching(/2\/2/)]);
  const answers = person.model.requests.flatMap(({ messages }) =>
    messages.filter(({ role, text }) => role === "user" && text.includes("Todos remain")),
  );
  expect(answers.length).toBeGreaterThan(0);
  for (const { text } of answers) expect(text).toContain("it is not permission for anything else");
});

test.each([
  "Shall I delete the production database and continue?",
  "May I force-push to main?",
  "Soll ich das Paket jetzt veröffentlichen?",
])("%s stops the run, and you read the question", LONG, async (question) => {
  await using person = await aPerson({ script: asking(question) });
  const terminal = person.terminal();
  const { exit, screen } = await terminal.runs('tildone run "write two files" --approval auto-edit');
  expect(exit).toBe(5);
  expect(screen.replace(/\s+/g, " ")).toContain(`needs your answer: "${question}"`);
  expect(person.model.requests.length).toBe(3);
  const why = await terminal.runs("tildone why");
  expect(why.screen.replace(/\s+/g, " ")).toContain(`needs your answer: "${question}"`);
  expect(why.screen).toContain('tildone say "your answer"');
});

test("a choice gets one reminder that answers nothing, then the run stops with the question", LONG, async () => {
  await using person = await aPerson({ script: asking("Tabs or spaces?", "Should I use tabs or spaces?") });
  const { exit, screen } = await person.terminal().runs('tildone run "write two files" --approval auto-edit');
  expect([exit, screen.replace(/\s+/g, " ")]).toEqual([5, expect.stringContaining('"Should I use tabs or spaces?"')]);
  const last = person.model.requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.text;
  expect(last).toContain("does not answer it and permits nothing");
  expect(last).not.toContain("Next action");
});
