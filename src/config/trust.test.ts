import { mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, makeHome } from "../../test/builders/home.ts";
import { openTrust, type Trust, trustedFile } from "./trust.ts";

let home: Home;
let trust: Trust;
beforeEach(() => {
  home = makeHome();
  trust = openTrust({ state: join(home.place, "state") });
});
afterEach(() => home.remove());

const fileOf = (name: string, content: string) => trustedFile("/project", join("/project", name), Buffer.from(content));
const config = fileOf(".tildone/config.yaml", "a: 1");
const workflow = fileOf(".tildone/workflows/release/workflow.yaml", "name: release");

test("a project is unknown, then trusted, then unknown again", () => {
  expect(trust.standing(home.cwd, [config])).toEqual({ status: "unknown", untrusted: [".tildone/config.yaml"] });
  expect(trust.list()).toEqual([]);
  trust.trust(home.cwd, [config, workflow]);
  expect(trust.isTrusted(home.cwd, [config])).toBe(true);
  expect(trust.isTrusted(home.cwd, [workflow, config])).toBe(true);
  expect(trust.list()).toEqual([{ root: home.cwd, files: [config, workflow] }]);
  expect([trust.untrust(home.cwd), trust.untrust(home.cwd)]).toEqual([true, false]);
  expect(trust.isTrusted(home.cwd, [config])).toBe(false);
});

test.each([
  ["a changed file", [fileOf(".tildone/config.yaml", "a: 2"), workflow], [".tildone/config.yaml"]],
  ["a new file", [config, workflow, fileOf("new.yaml", "")], ["new.yaml"]],
  ["a file under another name", [fileOf(".tildone/other.yaml", "a: 1")], [".tildone/other.yaml"]],
])("%s asks again, and says which", (_name, files, untrusted) => {
  trust.trust(home.cwd, [config, workflow]);
  expect(trust.standing(home.cwd, files)).toEqual({ status: "changed", untrusted });
});

test("trust is of the real folder: a link to it counts, a copy of it does not", () => {
  trust.trust(home.cwd, [config]);
  symlinkSync(home.cwd, join(home.place, "link"));
  mkdirSync(join(home.place, "copy"));
  expect(trust.isTrusted(join(home.place, "link"), [config])).toBe(true);
  expect(trust.isTrusted(join(home.place, "copy"), [config])).toBe(false);
});

test("another folder put in the place of a trusted one is trusted only for the same content", () => {
  trust.trust(home.cwd, [config]);
  renameSync(home.cwd, join(home.place, "moved"));
  mkdirSync(home.cwd);
  expect(trust.isTrusted(home.cwd, [config])).toBe(true);
  expect(trust.isTrusted(join(home.place, "moved"), [config])).toBe(false);
});

test("to trust again replaces what was trusted, and two projects do not touch each other", () => {
  mkdirSync(join(home.place, "second"));
  trust.trust(home.cwd, [config, workflow]);
  trust.trust(join(home.place, "second"), [config]);
  trust.trust(home.cwd, [workflow]);
  expect(trust.isTrusted(home.cwd, [config])).toBe(false);
  expect(trust.isTrusted(join(home.place, "second"), [config])).toBe(true);
});

test("a damaged record trusts nothing, and can be written anew", () => {
  trust.trust(home.cwd, [config]);
  const folder = join(home.place, "state/trust");
  const [name] = readdirSync(folder);
  for (const damage of [
    "",
    "{",
    "[]",
    '{"root":1,"files":[]}',
    '{"root":"/","files":[{"path":".tildone/config.yaml"}]}',
  ]) {
    writeFileSync(join(folder, name!), damage);
    expect([damage, trust.isTrusted(home.cwd, [config]), trust.list()]).toEqual([damage, false, []]);
  }
  trust.trust(home.cwd, [config]);
  expect(trust.isTrusted(home.cwd, [config])).toBe(true);
});

test("a record that names another folder is not this folder's", () => {
  trust.trust(home.cwd, [config]);
  const folder = join(home.place, "state/trust");
  const [name] = readdirSync(folder);
  writeFileSync(join(folder, name!), JSON.stringify({ root: "/elsewhere", files: [config] }));
  expect(trust.isTrusted(home.cwd, [config])).toBe(false);
});

test("nothing half-written stays behind, and no other user can read it", () => {
  trust.trust(home.cwd, [config]);
  trust.trust(home.cwd, [config, workflow]);
  const names = readdirSync(join(home.place, "state/trust"));
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
  expect(statSync(join(home.place, "state/trust", names[0]!)).mode & 0o777).toBe(0o600);
});
