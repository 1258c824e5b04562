// The examples of the how-to are loaded as they stand.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { directories, loadConfig, openTrust, sayProblem } from "../src/config/index.ts";
import { type Home, makeHome, PROJECT_FILE, USER_FILE } from "./builders/home.ts";

const page = readFileSync("docs/how-to/configure.md", "utf8");
const [userExample, projectExample, ...others] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1]!);

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

async function load(agent: string) {
  const loaded = await loadConfig({ cwd: home.cwd, home: home.home, env: {}, host: "pi", agent });
  if (!loaded.ok) throw new Error(loaded.errors.map(sayProblem).join("\n"));
  return loaded;
}

test("the user's example holds as the page says", async () => {
  expect(others).toEqual([]);
  home.write(USER_FILE, userExample!);
  const { config, warnings } = await load("reviewer");
  expect(warnings).toEqual([]);
  expect(config.limits).toMatchObject({ enabled: true, stillTurns: 5, countdownMs: 5000 });
  expect(config.budget).toEqual({ cost: 5, minutes: 90 });
  expect(config.checks.run).toHaveLength(2);
  expect(config.approval.rules.map(({ name }) => name)).toEqual(["no pushing"]);
  expect((await load("coder")).config.agent).toEqual({
    model: "anthropic/claude-sonnet-4-5",
    reasoningEffort: "high",
  });
});

test("the project's example tightens at once and runs its check after trust", async () => {
  home.write(PROJECT_FILE, projectExample!);
  const before = await load("coder");
  expect(before.config.limits.stillTurns).toBe(10);
  expect(before.config.checks.protect).toContain("golden/**");
  expect([before.config.checks.run, before.warnings.map(({ key }) => key)]).toEqual([[], ["checks.run"]]);
  openTrust(directories({ env: {}, home: home.home })).trust(before.project!.root, [before.project!.file!]);
  expect((await load("coder")).config.checks.run).toEqual([{ run: "make test", by: "human" }]);
});

test("the mistake on the page is what the reader says", async () => {
  home.write(USER_FILE, "continuation: { maxContinuation: 3 }");
  const loaded = await loadConfig({ cwd: home.cwd, home: home.home, env: {} });
  const said = loaded.ok ? "" : sayProblem(loaded.errors[0]!).replace(home.home, "~");
  expect(page).toContain(`\n${said}\n`);
});
