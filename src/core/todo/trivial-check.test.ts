import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isTrivialCheck } from "./trivial-check.ts";

test.each([
  ["nothing", ""],
  ["blanks", " \n\t "],
  ["a comment", "# all good"],
  ["true", "true"],
  ["the null command", ":"],
  ["true by its path", "/bin/true"],
  ["true with arguments", "true --strict"],
  ["exit 0", "exit 0"],
  ["exit with the status of nothing", "exit"],
  ["exit 256 is exit 0", "exit 256"],
  ["the rest is never reached", "exit 0; npm test"],
  ["echo", "echo all tests pass"],
  ["echo of a command's output", 'echo "$(npm test)"'],
  ["echo into a file", "echo ok > result.txt 2>&1"],
  ["printf", "printf 'ok\\n'"],
  ["sleep", "sleep 1"],
  ["true and true", "true && true"],
  ["a shell around true", "sh -c true"],
  ["a shell around a hidden failure", "bash -lc 'npm test || true'"],
  ["a directory, then true", "cd packages/app && true"],
  ["a constant test", "test 1 = 1"],
  ["a constant bracket", "[ 1 -eq 1 ]"],
  ["a constant double bracket", "[[ yes == yes ]]"],
  ["a word is not empty", "test ok"],
  ["an empty word is empty", '[ -z "" ]'],
  ["a number below another", "test 1 -lt 2"],
  ["a variable equals itself", 'test "$HOME" = "$HOME"'],
  ["not false", "! false"],
  ["failure hidden by || true", "npm test || true"],
  ["failure hidden by || :", "npm test||:"],
  ["failure hidden by || exit 0", "npm test || exit 0"],
  ["failure hidden by || echo", "npm test || echo failed"],
  ["failure hidden by ; true", "npm test; true"],
  ["failure hidden by the next line", "npm test\necho done"],
  ["failure hidden by a comment's neighbour", "npm test || true # flaky"],
  ["failure hidden in a group", "(npm test && npm run lint) || true"],
  ["failure hidden in braces", "{ npm test; } || true"],
  ["failure hidden after a loop", "for f in *.ts; do tsc $f; done; true"],
  ["failure hidden after a condition", "if npm test; then echo ok; fi || true"],
  ["failure hidden by a pipe into true", "npm test | true"],
  ["failure hidden by a pipe into cat", "npm test 2>&1 | cat"],
  ["failure hidden in the background", "npm test &"],
  ["both branches end well", "npm test && echo good || echo bad"],
  ["only variables", "FOO=1 BAR=2"],
  ["true with a variable", "CI=1 true"],
  ["true through env", "env CI=1 true"],
  ["true through exec", "exec true"],
  ["an empty program", "node -e ''"],
  ["a program that only exits", 'node -e "process.exit(0)"'],
  ["a program that only prints", `python3 -c 'print("ok")'`],
  ["pass", "python -c pass"],
  ["an empty vector", []],
  ["a vector with an empty name", [""]],
  ["a vector of true", ["true"]],
  ["a vector of echo", ["echo", "done"]],
  ["a vector of a shell around true", ["sh", "-c", "exit 0"]],
])("trivial: %s", (_why, run) => expect(isTrivialCheck({ run })).toBe(true));

test.each([
  ["a test command", "npm test"],
  ["a test command with a variable", "CI=1 npm test"],
  ["a test command after echo", "echo start; npm test"],
  ["a test command in a directory", "cd packages/app && npm test"],
  ["a place that must exist", "cd dist"],
  ["a pipe into grep", "echo x | grep y"],
  ["a file exists", "test -f out.txt"],
  ["a file exists, bracket", "[ -s out.txt ]"],
  ["a file exists, double bracket", "[[ -f a.txt || -f true ]]"],
  ["a file can be read", ": < out.txt"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own syntax
  ["a variable is set", ': "${TOKEN:?missing}"'],
  ["a variable has a value", 'test -n "$TOKEN"'],
  ["a glob matches", "test -f dist/*.js"],
  ["nothing is found", "! grep -r foo src"],
  ["the status before", "npm test; test $? -eq 0"],
  ["exit with the status before", "npm test; exit"],
  ["exit with a saved status", "npm test; code=$?; echo done; exit $code"],
  ["a saved status in a subshell", "npm test; code=$?; echo done; (exit $code)"],
  ["an early exit", "npm test || exit 1; echo ok"],
  ["an early exit, then a background command", "npm test || exit 1; sleep 1 & echo ok"],
  ["a message and an exit", "npm test || { echo failed >&2; exit 1; }"],
  ["a message and an exit in a subshell", "npm test || (echo failed; exit 1)"],
  ["an exit inside a condition", "if ! npm test; then exit 1; fi; echo ok"],
  ["an exit inside a loop", "for f in *.ts; do tsc $f || exit 1; done; true"],
  ["errexit", "set -e; npm test; true"],
  ["errexit by name", "set -o errexit\nnpm test\necho ok"],
  ["pipefail", "set -o pipefail; npm test | cat"],
  ["errexit of an inner shell", "bash -ec 'npm test; true'"],
  ["a trap", "trap 'exit 1' ERR; npm test; true"],
  ["hidden only for the first", "npm ci || true && npm test"],
  ["hidden only in the first line", "npm ci || true\nnpm test"],
  ["exec never comes back", "exec npm test; true"],
  ["a sourced script may exit", ". ./check.sh; true"],
  ["false", "false"],
  ["a constant that never passes", "test 1 = 2"],
  ["not true", "! true"],
  ["exit 1", "exit 1"],
  ["exit with a variable", "exit $CODE"],
  ["a word called true", "grep -q true config.json"],
  ["an argument called true", "npm test -- --ci true"],
  ["a quoted || true", "grep -q '|| true' run.sh"],
  ["somebody's own true", "./true"],
  ["a server, then a question", "npm start & sleep 1; curl -f localhost:3000"],
  ["a condition decides", "if test -f a; then true; else false; fi"],
  ["a function", "check() { npm test; }; check; true"],
  ["a here-document", "cat <<EOF || true\nx\nEOF"],
  ["a real program", "node -e \"require('assert')(require('fs').existsSync('a'))\""],
  ["a tool is there", "command -v cargo"],
  ["a listing of something", "ls dist"],
  ["a file's content", "cat out.txt"],
  ["an assignment that runs something", "out=$(npm test)"],
  ["an unfinished quotation", "npm test || true '"],
  ["an unbalanced group", "(npm test || true"],
  ["names of object methods", "test toString x"],
  ["a keyword-like name", "constructor || exit 1"],
  ["a vector", ["npm", "test"]],
  ["a vector has no operators", ["npm", "test", "||", "true"]],
  ["a vector of a shell around work", ["sh", "-c", "npm test"]],
])("honest: %s", (_why, run) => expect(isTrivialCheck({ run })).toBe(false));

const line: fc.Arbitrary<string> = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("true", "false", ":", "exit 0", "exit 1", "exit", "$P", "$Q", "echo x", "test 1 = 1"),
    fc
      .tuple(tie("line"), fc.constantFrom(" && ", " || ", "; ", "\n", " | ", " & "), tie("line"))
      .map((parts) => parts.join("")),
    tie("line").map((inner) => `(${inner})`),
    tie("line").map((inner) => `{ ${inner}; }`),
    tie("line").map((inner) => `! { ${inner}; }`),
    tie("line").map((inner) => `if ${inner}; then true; fi`),
  ),
})).line;

test("a real shell agrees: what is trivial passes in every world", () => {
  fc.assert(
    fc.property(line, (run) => {
      if (!isTrivialCheck({ run })) return;
      for (const P of ["true", "false"])
        for (const Q of ["true", "false"]) {
          const { status, stderr } = spawnSync("sh", ["-c", run], { env: { PATH: process.env.PATH, P, Q } });
          if (String(stderr).includes("Syntax error")) return;
          expect({ run, P, Q, status }).toEqual({ run, P, Q, status: 0 });
        }
    }),
    { numRuns: 150 },
  );
});
