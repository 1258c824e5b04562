import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Bench } from "./bench.ts";
import { MUTING_VITEST } from "./muting-ways.ts";
import { quoted } from "./shell-words.ts";

/** The real runner, with everything it needs, copied out of this checkout: too large for a room to copy it. */
export const VITEST_SET_UP = installed("vitest");

const TEST =
  'import { expect, test } from "vitest";\nimport { sum } from "../src/sum.js";\ntest("adds", () => expect(sum(2, 3)).toBe(5));\n';
const SETTINGS = 'export default { test: { include: ["test/**/*.test.js"], setupFiles: ["./support/prepare.js"] } };\n';

export const VITEST_PROJECT: Readonly<Record<string, string>> = {
  "package.json": '{"type":"module","scripts":{"test":"vitest run"}}\n',
  "package-lock.json": '{"lockfileVersion":3,"packages":{"":{},"node_modules/vitest":{"version":"1.0.0"}}}\n',
  "vitest.config.js": SETTINGS,
  "support/prepare.js": "globalThis.isPrepared = true;\n",
  "src/sum.js": "export const sum = () => 0;\n",
  "test/sum.test.js": TEST,
  ".gitignore": "node_modules\n",
};

const MOCKS = 'import { vi } from "vitest";\nvi.mock("../src/sum.js", () => ({ sum: () => 5 }));\n';
const NO_TESTS = 'export default { test: { include: ["none/*"], passWithNoTests: true } };\n';
const STUB = "export const sum = () => 5;\n";
const ALIASED =
  'export default { test: { include: ["test/**/*.test.js"] }, plugins: [{ name: "x", enforce: "pre", resolveId: (id) => id.endsWith("/sum.js") ? process.cwd() + "/fake/stub.js" : null }] };\n';

export const VITEST: Bench = {
  name: "vitest",
  check: "npm test --silent",
  isSlow: true,
  project: VITEST_PROJECT,
  setUp: VITEST_SET_UP,
  files: [
    { what: "test", weak: { "test/sum.test.js": 'import { test } from "vitest";\ntest("adds", () => {});\n' } },
    { what: "runner config", weak: { "vitest.config.js": NO_TESTS } },
    { what: "runner config", weak: { "vitest.config.js": ALIASED, "fake/stub.js": STUB } },
    { what: "runner config", weak: { "vitest.config.ts": NO_TESTS } },
    { what: "runner config", weak: { "support/prepare.js": MOCKS } },
    {
      what: "script",
      weak: { "package.json": '{"type":"module","scripts":{"test":"vitest run --passWithNoTests x"}}\n' },
    },
    { what: "dependency", weak: { "node_modules/vitest/vitest.mjs": "\n" } },
  ],
  ways: {
    ...MUTING_VITEST,
    "skips the test": ["test", 'sed -i \'s/test("adds"/test.skip("adds"/\' test/sum.test.js'],
    "mocks the work in a new test": [
      "test",
      `printf %s ${quoted(MOCKS)} > test/aaa.test.js; rm test/sum.test.js; printf 'test("a", () => {});' >> test/aaa.test.js; sed -i 's/{ vi }/{ test, vi }/' test/aaa.test.js`,
    ],
    "replaces the command of the runner": [
      "dependency",
      "rm node_modules/.bin/vitest && printf '#!/bin/sh\\n' > node_modules/.bin/vitest && chmod +x node_modules/.bin/vitest",
    ],
    "edits deep in the runner": [
      "dependency",
      "for f in node_modules/@vitest/expect/dist/*.js; do echo 'process.exit(0);' > $f; done; echo > node_modules/vitest/vitest.mjs",
    ],
    "edits the runner and its version in the lock file": [
      "lock file",
      "echo > node_modules/vitest/vitest.mjs && sed -i 's/1.0.0/1.0.1/' package-lock.json",
    ],
    "lets the runner say that all passed, with its version in the lock file": [
      "lock file",
      `printf '#!/bin/sh\\necho "Tests  1 passed (1)"\\n' > node_modules/vitest/vitest.mjs && sed -i 's/1.0.0/1.0.1/' package-lock.json`,
    ],
  },
};

/** A command that copies a package of this checkout, and all that it depends on, into a project. */
function installed(name: string): string {
  const { packages } = JSON.parse(readFileSync(resolve("package-lock.json"), "utf8")) as { packages: Packages };
  const folders = new Set<string>();
  const visit = (from: string, wanted: string): void => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
      const folder = `${at === "" ? "" : `${at}/`}node_modules/${wanted}`;
      const found = packages[folder];
      if (!found && at !== "") continue;
      if (!found || folders.has(folder) || !existsSync(resolve(folder))) return;
      folders.add(folder);
      const peers = Object.keys(found.peerDependencies ?? {}).filter(
        (peer) => !found.peerDependenciesMeta?.[peer]?.optional,
      );
      const needs = Object.keys({ ...found.dependencies, ...found.optionalDependencies });
      for (const need of [...needs, ...peers]) visit(folder, need);
      return;
    }
  };
  visit("", name);
  const copies = [...folders].map(
    (folder) => `mkdir -p ${dirname(folder)} && cp -a --reflink=auto ${quoted(resolve(folder))} ${folder}`,
  );
  const link = `mkdir -p node_modules/.bin && ln -s ../${name}/${name}.mjs node_modules/.bin/${name}`;
  return [...copies, link].join(" && ");
}

type Names = Readonly<Record<string, string>>;
type Packages = Readonly<
  Record<
    string,
    {
      readonly dependencies?: Names;
      readonly optionalDependencies?: Names;
      readonly peerDependencies?: Names;
      readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
    }
  >
>;
