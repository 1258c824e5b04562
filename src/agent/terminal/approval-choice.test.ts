import { expect, test } from "vitest";
import { type Choice, type ChoiceAsked, ChoiceView } from "./approval-choice.ts";

const CHOICES = [
  { key: "y", text: "Allow once" },
  { key: "n", text: "Deny" },
];
const plain = { fg: (_role: string, text: string) => text, bold: (text: string) => text } as never;

function open(given: Partial<ChoiceAsked> = {}, terminalRows = 24) {
  const answers: (Choice | undefined)[] = [];
  const asked = {
    ...{ title: "Allow edit?", rows: ["a.ts"], below: "(rule: x)", choices: CHOICES, first: 0 },
    signal: new AbortController().signal,
    ...given,
  };
  const view = new ChoiceView(
    asked,
    plain,
    () => {},
    (choice) => answers.push(choice),
    () => terminalRows,
  );
  return { view, answers, screen: () => view.render(80).join("\n"), press: (key: string) => view.handleInput(key) };
}

const DIFF = Array.from({ length: 40 }, (_, at) => `+line ${at + 1}`);

test("a diff of 40 lines is paged on a terminal of 80 by 24, and every line can be seen", () => {
  const { screen, press, view } = open({ rows: DIFF });
  const seen = new Set<string>();
  for (let page = 0; page < 12; page++) {
    for (const line of view.render(80)) seen.add(line.trim());
    expect(view.render(80).length).toBeLessThanOrEqual(14);
    press("\u001b[6~"); // PgDn
  }
  for (const line of DIFF) expect(seen).toContain(line);
  expect(screen()).toContain("of 40 · PgUp/PgDn");
  press("\u001b[5~");
  expect(screen()).not.toContain("+line 40");
});

test("a letter answers at once; other keys do nothing", () => {
  const { press, answers } = open();
  for (const key of ["x", " ", "\t"]) press(key);
  expect(answers).toEqual([]);
  press("n");
  expect(answers).toEqual([CHOICES[1]]);
});

test("Enter takes the one that is marked, which is the safe one where the caller says so", () => {
  const { press, answers, screen } = open({ first: 1 });
  expect(screen()).toContain("→ Deny (n)");
  press("\r");
  expect(answers).toEqual([CHOICES[1]]);
});

test("Esc leaves it open", () => {
  const { press, answers } = open();
  press("\u001b");
  expect(answers).toEqual([undefined]);
});
