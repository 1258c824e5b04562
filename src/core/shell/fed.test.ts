import { expect, test } from "vitest";
import { countSteps, growth } from "../../../test/builders/steps.ts";
import { fedTo } from "./fed.ts";

const steps = await countSteps(/core\/shell\//);
const said = (line: string) => fedTo(line).map(({ program, text }) => `${program.text}: ${text.trim()}`);

test.each<[string, string, readonly string[]]>([
  ["nothing", "git push origin main", []],
  ["a pipe", "echo a b | at now", ["at: a b"]],
  ["a pipe of three", "echo a | tee x | at now", ["tee: a\nx", "at: a\nx"]],
  ["a text in place", "at now <<< 'a b'", ["at: a b"]],
  ["a heredoc", "ssh h <<'E'\na\nb\nE\ntrue", ["ssh: a\nb"]],
  ["two heredocs of one line", "a <<X; b <<Y\n1\nX\n2\nY", ["a: 1", "b: 2"]],
  ["a heredoc without an end", "a <<X\n1\n2", ["a: 1\n2"]],
  ["a group", "(a; b) <<< t", ["a: t", "b: t"]],
  ["a loop", "while a; do b; done <<< t", ["a: t", "b: t"]],
  ["into a group", "echo t | { a; b; }", ["a: t", "b: t"]],
  ["a file that stands for output", "source <(echo t)", ["source: t"]],
  ["inside a substitution", "x=$(echo t | a)", ["a: t"]],
  ["a line that cannot be read", "a <<< 'x", []],
])("%s", (_what, line, expected) => expect(said(line)).toEqual(expected));

test("a line with too many pipes is looked at as a whole", () => {
  const line = `echo t${" | a".repeat(60)}`;
  expect(fedTo(line)).toEqual([{ program: expect.objectContaining({ text: "sh" }), text: line }]);
});

test.each<[string, (n: number) => string]>([
  ["pipes", (n) => `echo t${" | a".repeat(n)}`],
  ["a heredoc", (n) => `cat <<'E'\n${"line\n".repeat(n)}E\n`],
  ["groups", (n) => `${"(a | ".repeat(n)}b${")".repeat(n)}`],
])("a line twice as long costs twice as much: %s", async (_what, line) => {
  expect(await growth(steps, (n) => fedTo(line(n)), [1_000, 16_000])).toBeLessThan(1.2);
});
