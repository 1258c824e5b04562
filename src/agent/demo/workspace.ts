import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** A small program with three mistakes in it, tests that find them, and a folder that does not belong there. */
const FILES = {
  "package.json": '{ "name": "words", "type": "module", "private": true }\n',
  "README.md": "# words\n",
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "src/slug.js": 'export const slug = (title) => title.replaceAll(" ", "_");\n',
  "src/mean.js": "export const mean = (numbers) => numbers.reduce((a, b) => a + b) / numbers.length;\n",
  "test/add.test.js": test("add", "assert.equal(add(2, 3), 5);"),
  "test/slug.test.js": test("slug", 'assert.equal(slug("Hello Big World"), "hello-big-world");'),
  "test/mean.test.js": test("mean", "assert.equal(mean([2, 4]), 3);\n  assert.equal(mean([]), 0);"),
  "test/tidy.test.js": `import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";

test("no old build folder", () => assert.equal(existsSync("build"), false));
`,
  "build/old.txt": "left over from long ago\n",
} as const;

/** What the user's own configuration says in the demo: which commands are trusted, and what asks first. */
const configWith = (checks: readonly string[]): string => `approval:
  mode: auto-edit
  rules:
    - name: the tests
      decision: allow
      command: node --test *
checks:
  run:
${checks.map((check) => `    - ${check}\n`).join("")}  allow:
    - node --test *
    - grep -q *
continuation:
  minimumGap: 0s
`;

/** Where each todo has a check: everything together, at the end. */
const TOGETHER = ["node --test test/add.test.js test/slug.test.js test/mean.test.js"];
/** Where no todo has one: each by itself, so that a failure names what is not done. */
export const ONE_BY_ONE = ["add", "slug", "mean"].map((name) => `node --test test/${name}.test.js`);

/** Gives the folder of the program; `config` is where tildone looks for your settings. */
export function layOut(root: string, config: string, checks: readonly string[] = TOGETHER): string {
  const project = join(root, "project");
  for (const [path, text] of Object.entries(FILES)) put(join(project, path), text);
  put(join(config, "config.yaml"), configWith(checks));
  return project;
}

/** The program's tests run on the node that runs the demo. */
export const pathWithThisNode = (path: string | undefined): string =>
  [dirname(process.execPath), ...(path ? [path] : [])].join(delimiter);

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function test(name: string, body: string): string {
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${name} } from "../src/${name}.js";

test("${name}", () => {
  ${body}
});
`;
}
