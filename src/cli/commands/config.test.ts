import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeIo } from "../../../test/builders/fake-io.ts";
import { describeConfig } from "../../config/index.ts";
import { run } from "../index.ts";
import { width } from "../wrap.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-config-"));
  mkdirSync(join(home, "project"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function config(...words: string[]) {
  const { io, out, err } = fakeIo({ env: { TILDONE_HOME: join(home, "t") }, cwd: join(home, "project"), home });
  const code = await run(["config", ...words], io);
  return { code, out: out.join("\n"), err: err.join("\n") };
}
const file = (name = "config.yaml") => join(home, "t", name);

test("shows every setting with its unit and meaning, never a blank, within 80 columns", async () => {
  const { out } = await config();
  for (const { key } of describeConfig()) expect(out).toMatch(new RegExp(`^  ${key.split(".").at(-1)} .*\\S`, "m"));
  expect(out).toMatch(/^ {2}tokens {2,}unlimited {2,}A run may spend/m);
  expect(out).toMatch(/^ {2}ageOutDays {2,}7 days {2,}\S/m);
  for (const line of out.split("\n")) expect(width(line), line).toBeLessThanOrEqual(80);
});

test("explain says what a setting does, may be and where it comes from", async () => {
  await config("set", "budget.minutes", "90");
  const { out } = await config("explain", "budget.minutes");
  expect(out).toContain("A run may be worked on for this many minutes");
  expect(out).toMatch(/value +90 minutes \(from .*config\.yaml\)/);
  expect(out).toMatch(/default +unlimited/);
  expect(out).toMatch(/flag +--max-minutes/);
  expect((await config("explain", "budget.minute")).err).toContain("Did you mean budget.minutes?");
  expect((await config("explain", "minutes")).err).toContain("Did you mean budget.minutes?");
});

test("get prints the value alone; nothing set is exit code 1", async () => {
  expect(await config("get", "approval.mode")).toMatchObject({ code: 0, out: "ask" });
  expect(await config("get", "budget.cost")).toMatchObject({ code: 1, out: "" });
});

describe("set", () => {
  test("makes a file whose schema is found from any folder", async () => {
    await config("set", "budget.minutes", "90");
    const [first = "", ...rest] = readFileSync(file(), "utf8").split("\n");
    const schema = /\$schema=(.*)$/.exec(first)?.[1] ?? "";
    expect(JSON.parse(readFileSync(schema, "utf8")).title).toBe("tildone config");
    expect(rest.join("\n").trimStart()).toBe("budget:\n  minutes: 90\n");
    expect((await config("get", "budget.minutes")).out).toBe("90");
  });

  test("keeps comments and everything else, in YAML and in JSON", async () => {
    mkdirSync(join(home, "t"));
    writeFileSync(file(), "# mine\ncontinuation:\n  countdown: 5s # long\n");
    await config("set", "continuation.idleTurns", "4");
    await config("set", "checks.run", "npm test", "npm run lint");
    expect(readFileSync(file(), "utf8")).toBe(
      "# mine\ncontinuation:\n  countdown: 5s # long\n  idleTurns: 4\nchecks:\n  run:\n    - npm test\n    - npm run lint\n",
    );
    rmSync(file());
    writeFileSync(file("config.json"), '{\n  "budget": { "cost": 1 }\n}\n');
    await config("set", "hosts.codex.enabled", "false");
    expect(JSON.parse(readFileSync(file("config.json"), "utf8"))).toEqual({
      budget: { cost: 1 },
      hosts: { codex: { enabled: false } },
    });
  });

  test("keeps a link a link", async () => {
    mkdirSync(join(home, "t"));
    writeFileSync(join(home, "dotfile.yaml"), "budget:\n  cost: 1\n");
    symlinkSync(join(home, "dotfile.yaml"), file());
    await config("set", "budget.cost", "2");
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(home, "dotfile.yaml"), "utf8")).toContain("cost: 2");
  });

  test.each([
    ["a wrong value", ["approval.mode", "maybe"], "approval.mode must be one of"],
    ["no such setting", ["budget.minuts", "5"], "did you mean budget.minutes?"],
    ["a section", ["budget", "5"], "an object of settings"],
    ["a name that every object has", ["constructor", "5"], "is not a setting"],
  ])("refuses %s and changes nothing", async (_what, words, says) => {
    await config("set", "budget.cost", "1");
    const before = readFileSync(file(), "utf8");
    const { code, err } = await config("set", ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    expect(err).toContain("Nothing was changed.");
    expect(readFileSync(file(), "utf8")).toBe(before);
  });

  test("does not touch a file that cannot be parsed", async () => {
    mkdirSync(join(home, "t"));
    writeFileSync(file(), "budget: [\n");
    expect((await config("set", "budget.cost", "1")).code).toBe(2);
    expect(readFileSync(file(), "utf8")).toBe("budget: [\n");
  });

  test("unset removes it again", async () => {
    await config("set", "budget.cost", "1");
    await config("unset", "budget.cost");
    expect((await config("get", "budget.cost")).code).toBe(1);
  });

  test("--project writes the project's file", async () => {
    await config("set", "--project", "budget.cost", "1");
    expect(readFileSync(join(home, "project/.tildone/config.yaml"), "utf8")).toContain("cost: 1");
  });
});

test.each([
  ["config.yaml", "budget:\n  cost: 1\n bad: 2\n", 3],
  ["config.json", '{\n  "budget": {\n    "cost": 1,,\n  }\n}', 3],
  ["config.json", '{\n  "budget": {', 2],
  ["config.yaml", "budget:\n  cost: 1\n  minuts: 2\n", 3],
])("a mistake in %s is named with its line (%#)", async (name, content, line) => {
  mkdirSync(join(home, "t"));
  writeFileSync(file(name), content);
  const { code, err } = await config();
  expect(code).toBe(2);
  expect(err).toContain(`${file(name)}:${line}: `);
});

test("trust shows the commands that it would allow; notify is not the project's to set", async () => {
  mkdirSync(join(home, "project/.tildone"));
  writeFileSync(
    join(home, "project/.tildone/config.yaml"),
    "checks:\n  run: [make test]\n  allow: ['npm test *']\nnotify: ring\n",
  );
  const { io, out } = fakeIo({ env: { TILDONE_HOME: join(home, "t") }, cwd: join(home, "project"), home });
  await run(["trust", "--show"], io);
  expect(out.slice(out.indexOf("Trusting it allows these commands:"))).toEqual([
    "Trusting it allows these commands:",
    "  make test  (checks.run: at the end of every run)",
    "  npm test *  (checks.allow: when the agent proposes it as a check)",
  ]);
});
