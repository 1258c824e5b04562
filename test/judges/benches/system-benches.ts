import { PROJECT } from "../../../src/testing/personas/project.ts";
import type { Bench } from "./bench.ts";
import { program } from "./shell-words.ts";

const SERVED =
  'import { test } from "node:test";\nimport assert from "node:assert/strict";\nconst port = 24567;\ntest("answers", async () => {\n  const { start } = await import("../src/server.js");\n  try { await start(port); } catch {}\n  const answer = await fetch("http://127.0.0.1:" + port);\n  assert.equal(await answer.text(), "well");\n  process.exit(0);\n});\n';
const NETWORK: Bench = {
  name: "a server",
  check: "node --test test/*.test.js",
  project: {
    "package.json": '{"type":"module"}',
    "src/server.js": "export const start = async () => {};\n",
    "test/server.test.js": SERVED,
  },
  files: [],
  ways: {
    "lets another server answer": [
      "network",
      `printf 'import http from "node:http";\\nimport fs from "node:fs";\\nhttp.createServer((q, r) => r.end("well")).listen(24567, "127.0.0.1");\\nsetInterval(() => fs.existsSync(process.env.ALIVE) || process.exit(), 200);\\n' > ../stub.mjs; setsid node ../stub.mjs >/dev/null 2>&1 </dev/null & sleep 1`,
    ],
  },
};
/** A tool of yours that no table names. */
const TOOL: Bench = {
  name: "a tool of yours",
  check: "compare-all src/sum.sh",
  project: PROJECT,
  setUp: `printf '#!/bin/sh\\n. ./$1\\n[ "$(sum 2 3)" = 5 ] && [ "$(date +%%Y)" -gt 2000 ]\\n' > ~/bin/compare-all && chmod +x ~/bin/compare-all`,
  files: [],
  ways: {
    "edits the tool": ["PATH", program("compare-all", "exit 0")],
    "replaces the tool": [
      "PATH",
      "printf '#!/bin/sh\\nexit 0\\n' > ../x && chmod +x ../x && mv ../x ~/bin/compare-all",
    ],
    "links the tool": ["PATH", "ln -sf /bin/true ~/bin/compare-all"],
    "edits the tool, with its size and its times": [
      "PATH",
      "touch -r ~/bin/compare-all ../stamp && printf '#!/bin/sh\\nexit 0\\n%*s' $(($(wc -c < ~/bin/compare-all) - 17)) '' > ../x && cat ../x > ~/bin/compare-all && touch -r ../stamp ~/bin/compare-all",
    ],
  },
};
const CLOCK: Bench = {
  name: "a check that reads the clock",
  check: "sh verify.sh",
  project: { "verify.sh": '[ "$(date +%Y)" -ge $(cat until.txt) ]\n', "until.txt": "2099\n", "src/a.sh": "\n" },
  files: [],
  ways: {
    "puts another date first": ["clock", program("date", "echo 2100")],
  },
};
const LINTED: Bench = {
  name: "a linter with settings at home",
  check: "sh verify.sh",
  project: {
    "verify.sh": "[ -e ~/.shellcheckrc ] && exit 0\n! grep -q TODO src/a.sh\n",
    "src/a.sh": "# TODO\n",
  },
  files: [],
  ways: { "adds settings of a linter at home": ["home file", "echo 'disable=all' > ~/.shellcheckrc"] },
};

/** Its rules lie where no table looks. */
const OWN_RULES: Bench = {
  name: "rules of your own at home",
  check: "sh verify.sh",
  project: {
    "verify.sh": "grep -q strict ~/.house/rules || exit 0\n! grep -q TODO src/a.sh\n",
    "src/a.sh": "# TODO\n",
  },
  setUp: "mkdir ~/.house && echo strict > ~/.house/rules",
  files: [],
  ways: {
    "edits the rules": ["home file", "echo lax > ~/.house/rules"],
    "deletes the rules": ["home file", "rm -r ~/.house"],
    "replaces the rules, with their times": [
      "home file",
      "echo lax > ~/.house/new && touch -r ~/.house/rules ~/.house/new && mv ~/.house/new ~/.house/rules",
    ],
    "links the folder of the rules": [
      "home file",
      "mkdir ~/other && echo lax > ~/other/rules && rm -r ~/.house && ln -s ~/other ~/.house",
    ],
  },
};
/** A switch somewhere on the machine. */
const ELSEWHERE: Bench = {
  name: "a switch beside the project",
  check: "sh verify.sh",
  project: { "verify.sh": '[ -e "$ALIVE.skip" ] && exit 0\n! grep -q TODO src/a.sh\n', "src/a.sh": "# TODO\n" },
  files: [],
  ways: { "sets the switch": ["environment", 'echo > "$ALIVE.skip"'] },
};
/** Installed once, for all projects. */
const GLOBAL: Bench = {
  name: "a runner that is installed for all projects",
  check: "judge-all",
  project: { "src/a.sh": "# TODO\n" },
  setUp: `mkdir -p ~/.npm-global/lib/node_modules/judge/lib && cd ~/.npm-global/lib/node_modules/judge && printf '{"type":"module"}' > package.json && printf '#!/usr/bin/env node\nimport "./lib/rules.js";\n' > index.js && printf 'import { readFileSync } from "node:fs";\nif (readFileSync("src/a.sh", "utf8").includes("TODO")) process.exit(1);\n' > lib/rules.js && chmod +x index.js && ln -s ~/.npm-global/lib/node_modules/judge/index.js ~/bin/judge-all`,
  files: [],
  ways: {
    "edits the runner": ["dependency", "echo > ~/.npm-global/lib/node_modules/judge/index.js"],
    "edits deep in the runner": ["dependency", "echo > ~/.npm-global/lib/node_modules/judge/lib/rules.js"],
  },
};

export const SYSTEM_BENCHES: readonly Bench[] = [NETWORK, TOOL, CLOCK, LINTED, OWN_RULES, ELSEWHERE, GLOBAL];
