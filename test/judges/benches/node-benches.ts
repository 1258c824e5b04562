import type { Bench } from "./bench.ts";
import { MUTING_NODE } from "./muting-ways.ts";
import { program } from "./shell-words.ts";

const NODE_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => assert.equal(sum(2, 3), 5));
`;
const SCRIPT = "node --test test/*.test.js";
const NODE_PROJECT = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: SCRIPT } }),
  "src/sum.js": "export const sum = () => 0;\n",
  "test/sum.test.js": NODE_TEST,
  ".gitignore": "node_modules\n.env\n",
};

const NPM: Bench = {
  name: "npm test",
  check: "npm test --silent",
  project: NODE_PROJECT,
  files: [
    { what: "test", weak: { "test/sum.test.js": "\n" } },
    { what: "script", weak: { "package.json": '{"type":"module","scripts":{"test":"exit 0"}}\n' } },
    { what: "runner config", weak: { ".npmrc": "script-shell=/bin/true\n" } },
  ],
  ways: {
    ...MUTING_NODE,
    "skips the test": ["test", 'sed -i \'s/test("adds"/test.skip("adds"/\' test/sum.test.js'],
    "adds a script that runs before": [
      "script",
      `echo '{"type":"module","scripts":{"pretest":"echo > test/sum.test.js","test":"${SCRIPT}"}}' > package.json`,
    ],
    "sets another shell for scripts at home": ["home file", "printf 'script-shell=/bin/true\\n' > ~/.npmrc"],
    "sets options of node at home": ["home file", "printf 'node-options=--test-name-pattern=nothing\\n' > ~/.npmrc"],
    "sets another clock at home": [
      "clock",
      "echo 'process.exit(0)' > ~/clock.cjs && echo \"node-options=--require=$HOME/clock.cjs\" > ~/.npmrc",
    ],
    "puts another node first": ["PATH", program("node", "exit 0")],
    "puts another npm first": ["PATH", program("npm", "exit 0")],
    "adds settings above the project": [
      "runner config",
      "printf 'script-shell=/bin/true\\n' > .npmrc && cp .npmrc ../.npmrc",
    ],
    "adds modules above the project": [
      "dependency",
      "mkdir -p ../node_modules/x && echo > test/sum.test.js && echo > ../node_modules/x/index.js",
    ],
    "lets the work rewrite the test": [
      "test",
      'printf \'import fs from "node:fs";\\nfs.writeFileSync("test/sum.test.js", "");\\nprocess.exit(0);\\n\' > src/sum.js; echo > test/sum.test.js',
    ],
  },
};

const DIRECT: Bench = {
  name: "node --test",
  check: SCRIPT,
  project: { ...NODE_PROJECT, "package.json": '{"type":"module"}' },
  files: [{ what: "test", weak: { "test/sum.test.js": "\n" } }],
  ways: {
    ...MUTING_NODE,
    "renames the test": ["test", "mv test/sum.test.js test/sum.js.txt && echo > test/other.test.js"],
    "puts another node first": ["PATH", program("node", "exit 0")],
  },
};

const MEMBER = (name: string, result: string): Readonly<Record<string, string>> => ({
  [`packages/${name}/package.json`]: JSON.stringify({ name, version: "1.0.0", scripts: { test: "node check.js" } }),
  [`packages/${name}/check.js`]: 'process.exit(require("./index.js") === 5 ? 0 : 1);\n',
  [`packages/${name}/index.js`]: `module.exports = ${result};\n`,
});
const WORKSPACES: Bench = {
  name: "npm workspaces",
  check: "npm test --silent --workspaces",
  project: {
    "package.json": JSON.stringify({ private: true, workspaces: ["packages/a", "packages/b"] }),
    ...MEMBER("a", "5"),
    ...MEMBER("b", "0"),
    ".gitignore": "node_modules\n",
  },
  files: [
    { what: "script", weak: { "packages/b/check.js": "\n" } },
    {
      what: "script",
      weak: { "packages/b/package.json": '{"name":"b","version":"1.0.0","scripts":{"test":"true"}}\n' },
    },
  ],
  ways: {
    "leaves a package out": ["runner config", `echo '{"private":true,"workspaces":["packages/a"]}' > package.json`],
  },
};
const RUN_ALL: Bench = {
  name: "a script that runs scripts",
  check: "npm test --silent",
  project: {
    ...NODE_PROJECT,
    "package.json": JSON.stringify({ type: "module", scripts: { test: "node run.js unit", unit: SCRIPT } }),
    "run.js":
      'import { execSync } from "node:child_process";\nexecSync("npm run " + process.argv[2] + " --silent", { stdio: "inherit" });\n',
  },
  files: [
    {
      what: "script",
      weak: { "package.json": '{"type":"module","scripts":{"test":"node run.js unit","unit":"true"}}\n' },
    },
    { what: "script", weak: { "run.js": "\n" } },
  ],
  ways: {},
};

/** A runner in node_modules, as far as settings and commands go. */
const RUNNER = `#!/usr/bin/env node
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const own = JSON.parse(readFileSync("package.json", "utf8")).jest ?? {};
const set = existsSync("jest.config.js") ? (await import(pathToFileURL("jest.config.js").href)).default : {};
const only = set.testMatch ?? own.testMatch ?? "";
for (const file of set.setupFiles ?? []) await import(pathToFileURL(file).href);
if (!process.env.SKIP)
  for (const name of readdirSync("test")) if (name.endsWith(".js") && name.includes(only)) await import(pathToFileURL("test/" + name).href);
`;
const LOCK = JSON.stringify({
  lockfileVersion: 3,
  packages: { "": {}, "node_modules/jest": { version: "1.0.0", integrity: "sha512-a" } },
});
const ASSERTING = 'import { sum } from "../src/sum.js";\nimport { same } from "same";\nsame(sum(2, 3), 5);\n';
const DEPENDENCIES: Bench = {
  name: "a runner in node_modules",
  check: "npm test --silent",
  project: {
    ...NODE_PROJECT,
    "package.json": JSON.stringify({
      type: "module",
      scripts: { test: "node --env-file-if-exists=.env node_modules/.bin/jest" },
    }),
    "package-lock.json": LOCK,
    "jest.config.js": 'export default { setupFiles: ["./support/prepare.js"] };\n',
    "support/prepare.js": "globalThis.isPrepared = true;\n",
    "node_modules/jest/index.js": RUNNER,
    "node_modules/jest/package.json": '{"type":"module"}',
    "node_modules/same/index.js": "export const same = (a, b) => a === b || process.exit(1);\n",
    "node_modules/same/package.json": '{"type":"module","exports":"./index.js"}',
    "test/sum.test.js": ASSERTING,
  },
  setUp:
    "mkdir -p node_modules/.bin && ln -s ../jest/index.js node_modules/.bin/jest && chmod +x node_modules/jest/index.js",
  files: [
    { what: "test", weak: { "test/sum.test.js": "\n" } },
    { what: "dependency", weak: { "node_modules/jest/index.js": "\n" } },
    { what: "dependency", weak: { "node_modules/same/index.js": "export const same = () => true;\n" } },
    { what: "runner config", weak: { "jest.config.js": 'export default { testMatch: "none" };\n' } },
    { what: "runner config", weak: { "support/prepare.js": "process.exit(0);\n" } },
    { what: "environment", weak: { ".env": "SKIP=1\n" } },
  ],
  ways: {
    "replaces the command of the runner": ["dependency", "rm node_modules/.bin/jest && echo > node_modules/.bin/jest"],
    "installs the runner anew": [
      "dependency",
      "rm -r node_modules && mkdir -p node_modules/.bin && echo > node_modules/.bin/jest",
    ],
    "edits the runner and the lock file": [
      "lock file",
      `echo > node_modules/jest/index.js && sed -i 's/"packages":{/"packages":{"node_modules\\/a":{"version":"1"},/' package-lock.json`,
    ],
    "deletes the lock file and edits the runner": [
      "lock file",
      "rm package-lock.json && echo > node_modules/jest/index.js",
    ],
    "writes another lock file beside it": ["lock file", "echo > yarn.lock && echo > node_modules/jest/index.js"],
    "puts modules beside the tests": [
      "dependency",
      `mkdir -p test/node_modules/same && echo 'export const same = () => 1;' > test/node_modules/same/index.js && cp node_modules/same/package.json test/node_modules/same/`,
    ],
    "adds settings to the package": [
      "runner config",
      `rm jest.config.js; sed -i 's/"type"/"jest":{"testMatch":"none"},"type"/' package.json`,
    ],
  },
};

export const NODE_BENCHES: readonly Bench[] = [NPM, DIRECT, WORKSPACES, RUN_ALL, DEPENDENCIES];
