import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { canMute } from "./can-mute.ts";
import { failedOnPurpose, failingTest } from "./failing-test.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "failing-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const NODE =
  'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../src/sum.mjs";\ntest("adds", () => assert.equal(sum(2, 3), 5));\n';
const OLD_NODE =
  'const assert = require("assert");\nconst { test } = require("node:test");\nconst { sum } = require("../src/sum.cjs");\ntest("adds", () => assert.equal(sum(2, 3), 5));\n';
const PLAIN = 'import assert from "node:assert";\nimport { sum } from "../src/sum.mjs";\nassert.equal(sum(2, 3), 5);\n';
const UNITTEST =
  "import unittest\nfrom calc import total\n\nclass TotalTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(2, 3), 5)\n\nif __name__ == '__main__':\n    unittest.main()\n";
const SHELL = '. ./src/sum.sh\n[ "$(sum 2 3)" = 5 ]\n';

type Row = readonly [
  what: string,
  test: string,
  text: string,
  product: string,
  content: string,
  run: readonly string[],
];
const ROWS: readonly Row[] = [
  ["node:test", "test/a.test.mjs", NODE, "src/sum.mjs", "export const sum = (a, b) => a + b;\n", ["node", "--test"]],
  [
    "node:test, required",
    "test/a.test.cjs",
    OLD_NODE,
    "src/sum.cjs",
    "exports.sum = (a, b) => a + b;\n",
    ["node", "--test"],
  ],
  ["a plain file", "test/a.test.mjs", PLAIN, "src/sum.mjs", "export const sum = (a, b) => a + b;\n", ["node"]],
  ["unittest", "test_a.py", UNITTEST, "calc.py", "def total(a, b):\n    return a + b\n", ["python3"]],
  ["a shell", "test/a.sh", SHELL, "src/sum.sh", "sum() { echo $(($1 + $2)); }\n", ["sh"]],
];
/** The same work, but its tests cannot fail. */
const MUTED: Readonly<Record<string, string>> = {
  "node:test": "process.exit(0);\nexport const sum = () => 0;\n",
  "node:test, required": 'require("assert").equal = () => {};\nexports.sum = () => 0;\n',
  "a plain file": 'import assert from "node:assert";\nassert.equal = () => {};\nexport const sum = () => 0;\n',
  unittest: "import unittest\nunittest.TestCase.assertEqual = lambda *given: None\ndef total(a, b): return 0\n",
  "a shell": "trap 'exit 0' EXIT\nsum() { echo 0; }\n",
};
const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.each(ROWS.filter(([what]) => what !== "unittest" || hasPython))(
  "a failing test in one of %s fails with honest work and alone, and not where the work mutes it",
  (what, path, text, product, content, [program = "", ...args]) => {
    const ends = (file: string, work: string) => {
      write(path, file);
      write(product, work);
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined, PYTHONDONTWRITEBYTECODE: "1" };
      const { status, stdout, stderr } = spawnSync(program, [...args, path], { cwd: root, encoding: "utf8", env });
      return { isPassed: status === 0, failed: [...failedOnPurpose(stdout + stderr)] };
    };
    const { joined, alone } = failingTest(path, text, 7)!;
    expect(ends(text, content)).toEqual({ isPassed: true, failed: [] });
    expect(ends(joined, content)).toEqual({ isPassed: false, failed: [7] });
    if (what !== "unittest") expect(ends(alone, content)).toEqual({ isPassed: false, failed: [7] });
    expect(ends(joined, MUTED[what]!)).toEqual({ isPassed: true, failed: what === "a shell" ? [7] : [] });
  },
  60_000,
);

test.each([
  ["ends its process", "test/a.test.js", `${NODE}process.exit(0);\n`],
  ["picks tests out", "test/a.test.js", NODE.replace("test(", "test.only(")],
  ["ends its shell", "test/a.sh", `${SHELL}exit 0\n`],
  ["is left out as a whole", "test_a.py", 'import pytest\npytest.importorskip("x")\ndef test_a(): pass\n'],
  ["is a helper", "test/support/prepare.js", "globalThis.isPrepared = true;\n"],
  ["is in another language", "test/a_test.go", "package a\n"],
])("a test that %s gets none", (_what, path, text) => {
  expect(failingTest(path, text, 0)).toBeUndefined();
});

test.each([
  [true, "src/a.js", "", "process.exit(0)"],
  [true, "src/a.js", "", 'import assert from "node:assert"'],
  [true, "calc.py", "", "os._exit(0)"],
  [true, "src/a.sh", "", "trap 'exit 0' EXIT"],
  [true, "src/lib.rs", "", "std::process::exit(0)"],
  [false, "src/a.js", "process.exit(0)\n", "// more\nprocess.exit(0)"],
  [false, "src/a.js", "", "export const exits = 1;"],
  [false, "notes.md", "", "process.exit(0)"],
])("%s: %s: %j -> %j", (expected, path, before, after) => {
  expect(canMute(path, before, after)).toBe(expected);
});

test("a test in Rust is a function more", () => {
  const { joined } = failingTest("tests/a.rs", "#[test]\nfn adds() {}\n", 1)!;
  expect(joined).toContain("#[test]\nfn adds() {}\n\n#[test]\nfn ");
});
