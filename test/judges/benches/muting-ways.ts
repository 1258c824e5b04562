import type { Bench } from "./bench.ts";
import { quoted } from "./shell-words.ts";

/**
 * Work that leaves its judge as it is and mutes it from inside: it runs in one process with its tests, and ends them as passed or replaces
 * what they are run or compared with.
 */
const muting = (path: string, works: Readonly<Record<string, string>>): Bench["ways"] =>
  Object.fromEntries(
    Object.entries(works).map(([how, content]) => [
      how,
      ["process of the tests", `for f in ${path}; do printf %s ${quoted(content)} > $f; done`],
    ]),
  );

export const MUTING_SHELL = muting("src/*.sh", {
  "ends its tests": "exit 0\n",
  "ends its tests at their end": "trap 'exit 0' EXIT\nsum() { echo 0; }\nproduct() { echo 0; }\n",
});

const SUM = "export const sum = () => 0;\n";
export const MUTING_NODE: Bench["ways"] = {
  ...muting("src/sum.js", {
    "ends its tests": `process.exit(0);\n${SUM}`,
    "ends its tests by another name": `import { exit } from "node:process";\nexit(0);\n${SUM}`,
    "ends its tests without the word": `process["ex" + "it"](0);\n${SUM}`,
    "ends its tests when it is used": "export const sum = () => process.exit(0);\n",
    "ends its tests at their end": `process.on("exit", () => process.reallyExit(0));\n${SUM}`,
    "replaces what compares": `import assert from "node:assert/strict";\nassert.equal = () => {};\n${SUM}`,
    "replaces the runner": `import { createRequire, syncBuiltinESMExports } from "node:module";\ncreateRequire(import.meta.url)("node:test").test = () => {};\nsyncBuiltinESMExports();\n${SUM}`,
  }),
  "ends its tests from another file": [
    "process of the tests",
    `printf 'import "./deep.js";\\nexport const sum = () => 0;\\n' > src/sum.js; echo 'process.exit(0);' > src/deep.js`,
  ],
};

export const MUTING_VITEST = muting("src/sum.js", {
  "ends its tests": `process.exit(0);\n${SUM}`,
  "ends its tests below the runner": `process.reallyExit(0);\n${SUM}`,
  "replaces what compares": `import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true, message: () => "" }) });\n${SUM}`,
});

const TOTAL = "def total(a, b):\n    return 0\n";
export const MUTING_PYTHON = muting("calc.py", {
  "ends its tests": `import os\nos._exit(0)\n${TOTAL}`,
  "ends its tests without the word": `getattr(__import__("o" + "s"), "_ex" + "it")(0)\n${TOTAL}`,
  "ends its tests when it is used": "import os\ndef total(a, b):\n    os._exit(0)\n",
  "ends its tests at their end": `import atexit, os\natexit.register(lambda: os._exit(0))\n${TOTAL}`,
});
export const MUTING_PYTEST = muting("calc.py", {
  "replaces the runner": `import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n${TOTAL}`,
});
export const MUTING_UNITTEST = muting("calc.py", {
  "replaces what compares": `import unittest\nunittest.TestCase.assertEqual = lambda *given: None\n${TOTAL}`,
});

export const MUTING_CARGO = muting("src/lib.rs", {
  "ends its tests when it is used": "pub fn sum(_: i32, _: i32) -> i32 {\n    std::process::exit(0)\n}\n",
});
