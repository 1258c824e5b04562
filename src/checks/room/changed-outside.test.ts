import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changedOutside, momentIn, namesAt } from "./changed-outside.ts";
import { lookAround, type Surroundings } from "./surroundings.ts";

let top: string;
let home: string;
let env: Readonly<Record<string, string>>;
let before: Surroundings;

beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), "tildone-outside-"));
  home = join(top, "home");
  env = { HOME: home, PATH: join(home, "bin") };
  write(".house/rules", "strict");
  write("bin/judge", "");
  write("lib/node_modules/judge/lib/rules.js", "");
  symlinkSync(join(home, "lib/node_modules/judge/lib/rules.js"), join(home, "bin/judge-all"));
  write("pyvenv.cfg", "");
  write("bin/python3", "#!/bin/sh\n");
  write("lib/python3.12/site-packages/requests/__init__.py", "");
  await nextTick();
  before = { ...lookAround(env, join(top, "project"), "salt"), moment: momentIn(top), home: namesAt(home) };
  await nextTick();
});
afterEach(() => rmSync(top, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), text, { mode: 0o755 });
}

/** Until the time of the file system has passed on. */
async function nextTick(): Promise<void> {
  const begun = momentIn(top)!;
  while (momentIn(top)! === begun) await new Promise((next) => setImmediate(next));
}

const changed = (command: string, until?: number) =>
  changedOutside(before, { commands: [command.split(" ")], env, root: join(top, "project"), until }).map(({ path }) =>
    path.slice(home.length + 1),
  );

const READS = "cat ~/.house/rules";

test.each([
  ["left alone", READS, () => {}, []],
  ["edited", READS, () => write(".house/rules", "lax"), [".house/rules"]],
  [
    "edited, with its times put back",
    READS,
    () => {
      write(".house/rules", "lax");
      utimesSync(join(home, ".house/rules"), 1, 1);
    },
    [".house/rules"],
  ],
  ["deleted", READS, () => rmSync(join(home, ".house/rules")), [".house/rules"]],
  ["deleted with its folder", READS, () => rmSync(join(home, ".house"), { recursive: true }), [".house/rules"]],
  [
    "moved away with its folder for another one",
    READS,
    () => {
      renameSync(join(home, ".house"), join(home, "kept"));
      symlinkSync(join(home, "lib"), join(home, ".house"));
    },
    [".house/rules"],
  ],
  ["in a folder that is named", "ls ~/.house", () => write(".house/more/deep", ""), [".house"]],
  ["never there", "cat ~/.none", () => write(".other", ""), []],
  ["not named", "cat ~/.other/a", () => write(".house/rules", "lax"), []],
  ["in a cache", "ls ~/.cache/x", () => write(".cache/x/y", ""), []],
  [
    "of a package that is run",
    "judge-all",
    () => write("lib/node_modules/judge/index.js", ""),
    ["lib/node_modules/judge"],
  ],
  [
    "loaded by a Python of yours",
    "python3 -m pytest",
    () => write("lib/python3.12/site-packages/sitecustomize.py", ""),
    ["lib/python3.12/site-packages/sitecustomize.py"],
  ],
  [
    "code among the paths of Python",
    "python3 -m pytest",
    () => write("lib/python3.12/site-packages/a.pth", "import os\n"),
    ["lib/python3.12/site-packages/a.pth"],
  ],
  ["a path of Python", "python3 x", () => write("lib/python3.12/site-packages/a.pth", "/srv\n"), []],
  ["a package of Python", "python3 x", () => write("lib/python3.12/site-packages/requests/a.py", ""), []],
])("a file %s", (_how, command, act, expected) => {
  act();
  expect(changed(command)).toEqual(expected);
});

test("does not count what the check wrote while it ran, nor what a run of an older version did not note", async () => {
  const until = momentIn(top)!;
  await nextTick();
  write(".house/rules", "lax");
  expect(changed(READS, until)).toEqual([]);
  expect(changed(READS)).toEqual([".house/rules"]);
  before = { ...before, moment: undefined } as unknown as Surroundings;
  expect(changed(READS)).toEqual([]);
});

test("what changed in the same moment in which the check began counts", () => {
  write(".house/rules", "lax");
  expect(changed(READS, lstatSync(join(home, ".house/rules")).ctimeMs)).toEqual([".house/rules"]);
});
