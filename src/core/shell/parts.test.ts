import { describe, expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { countSteps, growth } from "../../../test/builders/steps.ts";
import type { Word } from "./command.ts";
import { partsOf } from "./parts.ts";

const steps = await countSteps(/core\/shell\//);

/** `[git push]` is a command, `(sh -c …)` a wrapper, `<x>` a word the shell would replace, `>f` a redirection. */
const spelled = (words: readonly Word[]) => words.map(({ text, literal }) => (literal ? text : `<${text}>`)).join(" ");
function said(line: string): string {
  return partsOf(line)
    .map((part) => {
      if (part.type === "unreadable") return "unreadable";
      if (part.type === "redirect") return `${part.access === "write" ? ">" : "<"}${spelled([part.path])}`;
      if (part.type === "wrapper") return `(${spelled(part.words)})`;
      return `${part.environment ? "env" : ""}[${spelled(part.words)}]`;
    })
    .join(" ");
}

describe("what a shell line would run", () => {
  test.each([
    ["one command", "git status", "[git status]"],
    ["every kind of chain", "a | b || c ; d & e && f", "[a] [b] [c] [d] [e] [f]"],
    ["lines", "a\nb", "[a] [b]"],
    ["a line continued", "a \\\n b", "[a b]"],
    ["separators in quotes separate nothing", `echo "a && b > c" 'x; y' \\; z`, "[echo a && b > c x; y ; z]"],
    ["quotes inside a name", `'r'"m" x`, "[rm x]"],
    ["a backslash inside a name", "r\\m x", "[rm x]"],
    ["a comment", "a # ; rm x\nb", "[a] [b]"],
    ["a hash inside a word is no comment", "echo a#b", "[echo a#b]"],
    ["substitution", "echo $(rm x)", "[rm x] [echo <$(…)>]"],
    ["substitution in quotes", `echo "a $(rm "x y")"`, "[rm x y] [echo <a $(…)>]"],
    ["single quotes substitute nothing", "echo '$(rm x)'", "[echo $(rm x)]"],
    ["backticks, nested", "echo `a \\`b\\``", "[b] [a <`…`>] [echo <`…`>]"],
    ["process substitution", "diff <(a) <(b)", "[a] [b] [diff <<(…)> <<(…)>]"],
    ["a variable as command", "$CMD x", "[<$CMD> x]"],
    ["a pattern as command", "r? x", "[<r?> x]"],
    ["braces that expand", "{rm,-rf,/}", "[<{rm,-rf,/}>]"],
    ["a variable in front", "PATH=/tmp git status", "env[git status]"],
    ["a variable alone changes what follows", "PATH=/tmp; git status", "env[] [git status]"],
    ["a quoted name is no variable", `"A=1" x`, "[A=1 x]"],
    ["a subshell", "(cd a && rm b) > out", "[cd a] [rm b] >out"],
    ["a group", "{ a; b; } > out", "[a] [b] >out"],
    ["a condition", "if [ -f x ]; then rm x; else b; fi", "[[ -f x ]] [rm x] [b]"],
    ["a loop", "for i in a $(b); do echo $i; done", "[b] [echo <$i>]"],
    ["a loop over a file", "while read l; do a; done < f > g", "[read l] [a] >g <f"],
  ])("%s", (_what, line, parts) => expect(said(line)).toBe(parts));
});

describe("redirections", () => {
  test.each([
    ["to a file, twice", "a > x 2>> y", "[a] >x >y"],
    ["of both streams", "a &> x", "[a] >x"],
    ["without blanks", "a>x", "[a] >x"],
    ["to a variable", "a > $F", "[a] ><$F>"],
    ["from a file", "a < x", "[a] <x"],
    ["both ways", "a <> x", "[a] >x <x"],
    ["to a stream or to nothing writes no file", "a 2>&1 >/dev/null 2>&-", "[a]"],
    ["quoted characters are none", `a '>' x ">" y \\> z`, "[a > x > y > z]"],
    ["a text in place", "a <<< 'rm x'", "[a]"],
    ["a text in place that runs something", "a <<< $(rm x)", "[rm x] [a]"],
    ["a file named by a command", "a > $(rm x)", "[rm x] [a] ><$(…)>"],
    ["a heredoc is text", "cat <<'E' > x\nrm y $(z)\nE\nb", "[cat] >x [b]"],
    ["an indented heredoc", "cat <<-E\n\trm y\n\tE\nb", "[cat] [b]"],
    ["a heredoc that substitutes", "cat <<E\n$(rm y)\nE", "unreadable"],
  ])("%s", (_what, line, parts) => expect(said(line)).toBe(parts));
});

describe("wrappers start another command", () => {
  test.each([
    ["timeout", "timeout -k 5 10 rm x", "(timeout -k 5 10 rm x) [rm x]"],
    ["one in another", "nohup nice -n5 rm x", "(nohup nice -n5 rm x) (nice -n5 rm x) [rm x]"],
    ["env with variables", "env -i A=1 rm x", "(env -i A=1 rm x) env[rm x]"],
    ["the time it takes", "time -p rm x", "(time -p rm x) [rm x]"],
    ["by its path", "/usr/bin/env rm x", "(/usr/bin/env rm x) [rm x]"],
    ["xargs adds words", "xargs -0 rm", "(xargs -0 rm) [rm <…>]"],
    ["a script", "bash -c 'a && rm x'", "(bash -c a && rm x) [a] [rm x]"],
    ["a script with other options", "bash -lc 'rm x' name", "(bash -lc rm x name) [rm x]"],
    ["a script in a script", `sh -c "sh -c 'rm x'"`, "(sh -c sh -c 'rm x') (sh -c rm x) [rm x]"],
    ["a script that is not known", 'bash -c "$S"', "(bash -c <$S>) unreadable"],
    ["a shell without script", "bash x.sh", "[bash x.sh]"],
    ["eval", "eval rm x", "(eval rm x) [rm x]"],
    ["eval of something", "eval $X", "(eval <$X>) unreadable"],
    ["sudo must be allowed itself", "sudo -u me rm x", "[sudo -u me rm x] [rm x]"],
    ["su with a script", "su -c 'rm x'", "[su -c rm x] [rm x]"],
    ["find that starts", "find . -exec rm {} \\;", "[find . -exec rm {} ;] [rm <{}>]"],
    ["find that deletes", "find . -delete", "[find . -delete] [rm]"],
    ["an unknown option", "timeout --weird 5 rm x", "[timeout --weird 5 rm x] unreadable"],
    ["a question about a command", "command -v rm", "[command -v rm]"],
  ])("%s", (_what, line, parts) => expect(said(line)).toBe(parts));
});

describe("what cannot be read with certainty", () => {
  test.each([
    "echo 'open",
    'echo "open',
    "echo `open",
    "echo $(open",
    "a )",
    "f() { rm x; }; f",
    "case x in a) rm x;; esac",
    "[[ -f x ]] && rm x",
    "((i++))",
    "time { rm x; }",
    "a &&",
    "if a; then b",
    "a fi; }",
    "fi",
    "a=(1 2)",
    "$'\\x72m' x",
    "echo \u0024{X:-$(rm y)}",
    "echo $(( $(rm y) ))",
    `${"$(".repeat(30)}x${")".repeat(30)}`,
  ])("%s", (line) => expect(said(line)).toMatch(/unreadable/));
});

test("any text gives an answer", () => {
  const piece = fc.constantFrom(
    "a",
    " ",
    "'",
    '"',
    "`",
    "$(",
    ")",
    "(",
    "\\",
    ">",
    "<",
    "<<",
    "&",
    "|",
    ";",
    "\n",
    "#",
    "{",
    "}",
    "$",
    "=",
    "sh -c ",
    "if ",
    "then ",
    "elif ",
    "else ",
    "fi",
    "for ",
    "do ",
    "done",
    "[[ ",
    " ]]",
    "! ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const part of partsOf(pieces.join("")))
        expect(["command", "wrapper", "redirect", "unreadable"]).toContain(part.type);
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, (n: number) => string]>([
  ["words", (n) => `echo ${"word ".repeat(n)}`],
  ["commands", (n) => "a b; ".repeat(n)],
  ["a heredoc", (n) => `cat <<'E'\n${"line\n".repeat(n)}E\n`],
  ["quotes", (n) => `echo ${"'a'\"b\"".repeat(n)}`],
  ["open brackets", (n) => "(".repeat(n)],
])("a line twice as long costs twice as much: %s", async (_what, line) => {
  expect(await growth(steps, (n) => partsOf(line(n)), [1_000, 16_000])).toBeLessThan(1.2);
});
