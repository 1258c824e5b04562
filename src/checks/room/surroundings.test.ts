import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lookAround, strayedSince } from "./surroundings.ts";

let top: string;
let env: { readonly PATH: string; readonly HOME: string };
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "around-")));
  for (const folder of ["home", "programs", "project"]) mkdirSync(join(top, folder));
  env = { PATH: join(top, "programs"), HOME: join(top, "home") };
  for (const name of ["own", "node"]) program(name, "echo 1\n");
});
afterEach(() => rmSync(top, { recursive: true }));

const at = (name: string): string => join(top, "programs", name);
function program(name: string, text: string): void {
  writeFileSync(at(name), text);
  chmodSync(at(name), 0o755);
  utimesSync(at(name), LONG_AGO, LONG_AGO);
}
const LONG_AGO = 1_600_000_000;

/** What strays by an act, by name. */
function strayed(act: () => void): readonly string[] {
  const before = lookAround(env, join(top, "project"), "salt");
  act();
  return strayedSince(before, env, join(top, "project")).programs.map(({ name }) => name);
}

/** As many bytes as before, in the same file, and with its times. */
function forge(name: string, text = "exit 0\n"): void {
  writeFileSync(at(name), text);
  utimesSync(at(name), LONG_AGO, LONG_AGO);
}

test.each<[string, () => void, readonly string[]]>([
  ["nothing", () => {}, []],
  ["another content", () => program("own", "exit 0\n"), ["own"]],
  ["another content of the same size, with the times of the old one", () => forge("own"), ["own"]],
  ["the same of a program of the table", () => forge("node"), ["node"]],
  ["one that is new", () => program("new", "exit 0\n"), []],
])("programs of yours: %s", (_what, act, expected) => expect(strayed(act)).toEqual(expected));

test("a large program of the table is known by the time of its change", () => {
  const large = (letter: string) => letter.repeat(300 * 1024);
  program("node", large("a"));
  expect(strayed(() => forge("node", large("b")))).toEqual(["node"]);
});

test("a link that is made elsewhere changes no program, and does not hide that one was changed", () => {
  linkSync(at("own"), join(top, "cached"));
  expect(strayed(() => linkSync(at("own"), join(top, "cached again")))).toEqual([]);
  expect(strayed(() => forge("own"))).toEqual(["own"]);
});
