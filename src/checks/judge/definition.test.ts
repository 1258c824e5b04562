import { expect, test } from "vitest";
import type { Check } from "../../core/todo/index.ts";
import { definitionOf } from "./definition.ts";

const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "p",
    scripts: {
      pretest: "npm run lint",
      test: "node test/all.js",
      lint: "eslint .",
      loop: "npm run loop",
      build: "tsc",
    },
  }),
  "app/package.json": JSON.stringify({ scripts: { test: "sh scripts/verify.sh" } }),
  Makefile:
    "first: build\n\techo first\nbuild:\n\tcc \\\n  more\ntest: build lint\n\tnpm test\n\t@true\nlint:\n\techo\nCC := gcc\n",
};
const read = (path: string) => files[path];
const definition = (run: Check["run"], cwd?: string) => {
  const { parts, files: named } = definitionOf({ run, by: "human", ...(cwd !== undefined && { cwd }) }, read);
  return [...parts.map(({ path, name }) => `${path} ${name}`), ...named].sort();
};

test.each<[Check["run"], string | undefined, readonly string[]]>([
  [
    "npm test",
    undefined,
    [
      "package.json lint",
      "package.json posttest",
      "package.json prelint",
      "package.json postlint",
      "package.json pretest",
      "package.json test",
      "test/all.js",
    ],
  ],
  [
    "npm t --silent",
    undefined,
    [
      "package.json lint",
      "package.json posttest",
      "package.json prelint",
      "package.json postlint",
      "package.json pretest",
      "package.json test",
      "test/all.js",
    ],
  ],
  [["npm", "run", "build"], undefined, ["package.json build", "package.json postbuild", "package.json prebuild"]],
  ["cd x && yarn build", undefined, ["x/package.json build", "x/package.json postbuild", "x/package.json prebuild"]],
  ["npm run loop", undefined, ["package.json loop", "package.json postloop", "package.json preloop"]],
  [
    "npm test",
    "app",
    ["app/package.json posttest", "app/package.json pretest", "app/package.json test", "app/scripts/verify.sh"],
  ],
  ["npm install", undefined, []],
  ["make lint", undefined, ["Makefile lint"]],
  ["make", undefined, ["Makefile build", "Makefile first"]],
  ["./scripts/check.sh --all", undefined, ["scripts/check.sh"]],
  ["bash ./ci/run.sh", undefined, ["ci/run.sh"]],
  [["sh", "-c", "./verify"], undefined, ["verify"]],
  ["timeout 60 sh tests/run.sh", undefined, ["tests/run.sh"]],
  // what may itself be the work is no judge
  ["./build.sh", undefined, []],
  ["node src/app.js", undefined, []],
  ["grep -q done README.md", undefined, []],
  ["/usr/bin/test -f x", undefined, []],
  ["sh ../elsewhere/check.sh", undefined, []],
  ["if [ $(", undefined, []],
])("%j in %s stands on %j", (run, cwd, expected) => expect(definition(run, cwd)).toEqual([...expected].sort()));

test("make test stands on what it needs, and on what those run", () => {
  expect(definition("make test")).toEqual(
    expect.arrayContaining(["Makefile build", "Makefile lint", "Makefile test", "package.json test"]),
  );
});

test("make leads into other folders, into what it includes by a pattern, and to what it makes", () => {
  const makefiles: Readonly<Record<string, string>> = {
    Makefile:
      "DIR = conf\ninclude $(wildcard mk/*.mk) $(DIR)/own.mk\n-include $(shell ls)\ntest: all.tested\n\t$(MAKE) -C inner test\nall.tested: src\n\ttouch all.tested\n",
    "inner/Makefile": "test:\n\tsh verify.sh\n",
  };
  const found = definitionOf({ run: "make test", by: "human" }, (path) => makefiles[path]);
  expect(found.makefiles).toEqual(["Makefile", "mk/*.mk", "conf/own.mk", "**/*.mk", "inner/Makefile"]);
  expect(found.made).toContain("all.tested");
  expect(found.files).toEqual(["inner/verify.sh"]);
});

test.each([
  "npm test --workspaces",
  "npm -w b test",
  "pnpm -r test",
  "pnpm --filter b test",
  "yarn workspaces foreach run test",
  "npx turbo run test",
  "run-s te*",
])("%s leads into every package", (run) => {
  const packages: Readonly<Record<string, string>> = {
    "package.json": "{}",
    "packages/b/package.json": JSON.stringify({ scripts: { test: "node check.js", build: "node build.js" } }),
  };
  const found = definitionOf(
    { run, by: "human" },
    (path) => packages[path],
    () => Object.keys(packages),
  );
  expect(found.files).toContain("packages/b/check.js");
  expect(found.files).not.toContain("packages/b/build.js");
});
