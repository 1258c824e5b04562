import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, renameSync, rmdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, makeHome, PROJECT_FILE, USER_FILE } from "../../test/builders/home.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import {
  type ConfigRequest,
  directories,
  flagOptions,
  loadConfig,
  openTrust,
  sayProblem,
  sayWarning,
} from "./index.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

type Files = Readonly<Record<string, string>>;
type More = Partial<ConfigRequest>;

const request = (more: More = {}): ConfigRequest => ({ cwd: home.cwd, home: home.home, env: {}, ...more });

async function load(files: Files = {}, more: More = {}) {
  for (const [path, content] of Object.entries(files)) home.write(path, content);
  const loaded = await loadConfig(request(more));
  if (!loaded.ok) throw new Error(loaded.errors.map(sayProblem).join("\n"));
  return loaded;
}

/** Every mistake as its sentence, yours or the project's, without the folder of this test. */
async function mistakes(files: Files, more: More = {}): Promise<string[]> {
  for (const [path, content] of Object.entries(files)) home.write(path, content);
  const loaded = await loadConfig(request(more));
  const found = loaded.ok ? (loaded.project?.mistakes ?? []) : loaded.errors;
  return found.map(({ line: _, ...problem }) => sayProblem(problem).replaceAll(`${home.place}/`, ""));
}

const flags = (...args: string[]) =>
  parseArgs({ args, options: flagOptions, allowNegative: true, strict: true }).values as NonNullable<More["flags"]>;

const most = (value: number) => `continuation: { maxContinuations: ${value} }`;

test("without any file the numbers are those of the decision's own table", async () => {
  const { config, warnings, explain } = await load();
  expect(config.limits).toEqual(DEFAULTS);
  expect(config.budget).toEqual({});
  expect(config.approval).toMatchObject({ mode: "ask", rules: [], timeoutMs: 1_800_000 });
  expect(warnings).toEqual([]);
  expect(explain.every(({ layer }) => layer === "default")).toBe(true);
});

describe("the budget of an unattended run", () => {
  const rows: readonly [string, object, Files, More][] = [
    ["8 h, where nothing is set", { minutes: 480 }, {}, {}],
    ["your own default", { minutes: 60 }, { [USER_FILE]: "unattended: { minutes: 60 }" }, {}],
    ["your budget beats it, also a longer one", { minutes: 900 }, { [USER_FILE]: "budget: { minutes: 900 }" }, {}],
    ["a flag beats it", { minutes: 5 }, {}, { flags: { "max-minutes": "5" } }],
    ["unlimited switches it off", {}, { [USER_FILE]: "unattended: { minutes: unlimited }" }, {}],
    ["unlimited as a budget, too", {}, { [USER_FILE]: "budget: { minutes: unlimited }" }, {}],
    ["unlimited as a flag, too", {}, {}, { flags: { "max-minutes": "Unlimited" } }],
    ["a project may shorten it", { minutes: 30 }, { [PROJECT_FILE]: "budget: { minutes: 30 }" }, {}],
    ["a project may not lengthen it", { minutes: 480 }, { [PROJECT_FILE]: "budget: { minutes: 900 }" }, {}],
    ["a project may not switch it off", { minutes: 480 }, { [PROJECT_FILE]: "budget: { minutes: unlimited }" }, {}],
    ["nor by the default", { minutes: 480 }, { [PROJECT_FILE]: "unattended: { minutes: unlimited }" }, {}],
    ["other budgets are as they are", { minutes: 480, tokens: 9 }, { [USER_FILE]: "budget: { tokens: 9 }" }, {}],
  ];
  test.each(rows)("%s", async (_what, expected, files, more) => {
    expect((await load(files, more)).config.unattended).toEqual(expected);
  });

  test("a watched run has no default", async () => {
    expect((await load()).config.budget).toEqual({});
    expect((await load({ [USER_FILE]: "budget: { tokens: unlimited }" })).config.budget).toEqual({});
  });
});

describe("layers, from weakest to strongest", () => {
  const rows: readonly [string, number, string, More, Files][] = [
    ["the default", 20, "default", {}, {}],
    ["the user's file", 12, "user", {}, { [USER_FILE]: most(12) }],
    ["the project's file, tightening", 9, "project", {}, { [USER_FILE]: most(12), [PROJECT_FILE]: most(9) }],
    ["a variable", 15, "environment", { env: { TILDONE_MAX_CONTINUATIONS: "15" } }, { [PROJECT_FILE]: most(9) }],
    [
      "a flag",
      30,
      "flag",
      { env: { TILDONE_MAX_CONTINUATIONS: "15" }, flags: { "max-continuations": "30" } },
      { [PROJECT_FILE]: most(9) },
    ],
  ];
  test.each(rows)("%s wins: %d", async (_name, expected, layer, more, files) => {
    const { config, warnings, explain } = await load(files, more);
    expect(config.limits.stillTurns).toBe(expected);
    expect(explain.find(({ key }) => key === "continuation.maxContinuations")).toMatchObject({
      layer,
      value: String(expected),
    });
    expect(warnings).toEqual([]);
  });

  test("lists add up, in the order of the layers, each entry once", async () => {
    const { config } = await load(
      { [USER_FILE]: "checks: { run: [npm test, { run: [npm, run, lint], cwd: web, timeout: 90s }] }" },
      { flags: flags("--check", "npm test", "--check", "npm run types") },
    );
    expect(config.checks.run).toEqual([
      { run: "npm test", by: "human" },
      { run: ["npm", "run", "lint"], cwd: "web", timeoutMs: 90_000, by: "human" },
      { run: "npm run types", by: "human" },
    ]);
  });

  test("a JSON file, TILDONE_HOME, and a project's file found from a folder below", async () => {
    mkdirSync(join(home.cwd, "packages/a"), { recursive: true });
    const { config, project } = await load(
      {
        "own/config.json": `{ "$schema": "x", "budget": { "tokens": 900 } }`,
        [PROJECT_FILE]: "budget: { tokens: 800 }",
      },
      { cwd: join(home.cwd, "packages/a"), env: { TILDONE_HOME: join(home.place, "own") } },
    );
    expect(config.budget).toEqual({ tokens: 800 });
    expect(project).toMatchObject({ root: home.cwd, file: { path: ".tildone/config.yaml" }, standing: "unknown" });
  });
});

describe("hosts and agents", () => {
  const scoped = `
continuation: { maxContinuations: 10, minimumGap: 2s }
hosts: { codex: { maxContinuations: 11, countdown: 7s } }
agents: { "*": { attemptsPerTodo: 4 }, Reviewer: { enabled: true, maxContinuations: 12, model: a/b, maxTokens: 100, reasoningEffort: low } }
`;
  const rows: readonly [string, More, object][] = [
    ["nothing known", {}, { stillTurns: 10, countdownMs: 0, minimumGapMs: 2000 }],
    ["the host's own", { host: "codex" }, { stillTurns: 11, countdownMs: 7000 }],
    ["what all agents have", { agent: "stranger" }, { attemptsPerTodo: 4 }],
    ["the agent beats the host", { host: "codex", agent: "reviewer" }, { stillTurns: 12, countdownMs: 7000 }],
    [
      "a host's default, and a user's general word over it",
      { host: "opencode" },
      { countdownMs: 2000, minimumGapMs: 2000 },
    ],
    [
      "a flag beats the agent's own",
      { agent: "reviewer", flags: { countdown: "1s", "max-continuations": "5" } },
      { stillTurns: 5, countdownMs: 1000 },
    ],
  ];
  test.each(rows)("%s", async (_name, more, expected) => {
    expect((await load({ [USER_FILE]: scoped }, more)).config.limits).toMatchObject(expected);
  });

  test("what the standalone agent takes", async () => {
    const { config } = await load({ [USER_FILE]: scoped }, { agent: "reviewer", flags: flags("--model", "c/d/e") });
    expect(config.agent).toEqual({ model: "c/d/e", maxTokens: 100, reasoningEffort: "low" });
  });

  const on: readonly [string, string | undefined, More, string?][] = [
    ["no agent is known", undefined, {}],
    ["coder is on", undefined, { agent: "coder" }],
    ["OpenCode's first agent is on", undefined, { host: "opencode", agent: "build" }],
    ["task is off", "does not continue", { agent: "task" }],
    ["unknown agents are off", "does not continue", { agent: "stranger" }],
    ["plan is never on", "never", { agent: "plan" }],
    ["in any case", "never", { agent: "Planner" }],
    ["a flag turns task on", undefined, { agent: "task", flags: flags("--auto-complete-todos") }],
    ["a variable turns task on", undefined, { agent: "task", env: { TILDONE_AUTO_COMPLETE_TODOS: "true" } }],
    ["no flag turns plan on", "never", { agent: "plan", flags: flags("--auto-complete-todos") }],
    ["a flag turns coder off", "continuation.enabled", { agent: "coder", flags: flags("--no-auto-complete-todos") }],
    ["the user turns unknown agents on", undefined, { agent: "stranger" }, 'agents: { "*": { enabled: true } }'],
    ["a host is off", "hosts.pi.enabled", { host: "pi" }, "hosts: { pi: { enabled: false } }"],
    ["another host stays on", undefined, { host: "codex" }, "hosts: { pi: { enabled: false } }"],
    [
      "TILDONE_OFF beats every flag",
      "TILDONE_OFF",
      { env: { TILDONE_OFF: "1" }, flags: flags("--auto-complete-todos") },
    ],
    ["whatever is written there", "TILDONE_OFF", { env: { TILDONE_OFF: "yes please" } }],
    ["but not a clear no", undefined, { env: { TILDONE_OFF: "0" } }],
    ["in words", undefined, { env: { TILDONE_OFF: "False" } }],
    ["an empty variable says nothing", undefined, { env: { TILDONE_OFF: "", TILDONE_AUTO_COMPLETE_TODOS: "" } }],
  ];
  test.each(on)("%s", async (_name, off, more, user = "") => {
    const { config } = await load({ [USER_FILE]: user }, more);
    expect(config.limits.enabled).toBe(off === undefined);
    if (off === undefined) expect(config.off).toBeUndefined();
    else expect(config.off).toContain(off);
  });

  test("nothing above makes less of a never", async () => {
    const files = { [PROJECT_FILE]: "agents: { plan: { enabled: false } }" };
    const { config, warnings } = await load(files, { agent: "plan", flags: flags("--auto-complete-todos") });
    expect(config.off).toBe('tildone never continues the agent "plan".');
    expect(warnings.map(({ code, source }) => `${code} ${source}`)).toEqual(["never --auto-complete-todos"]);
  });

  test("a project's never is only a no: the user's flag overrules it", async () => {
    const files = { [PROJECT_FILE]: "agents: { coder: { enabled: never } }" };
    expect((await load(files, { agent: "coder" })).config.limits.enabled).toBe(false);
    expect((await load(files, { agent: "coder", flags: flags("--auto-complete-todos") })).config.limits.enabled).toBe(
      true,
    );
  });
});

describe("other names", () => {
  const seed = `
agents:
  coder: { todoDrivenExecution: true, maxTodoContinuations: 7, todoCheckIntervalMs: 1500 }
hosts: { library: { countdownSeconds: 4 } }
`;
  test("in a file", async () => {
    const { config } = await load({ [USER_FILE]: seed }, { agent: "coder", host: "library" });
    expect(config.limits).toMatchObject({ enabled: true, stillTurns: 7, minimumGapMs: 1500, countdownMs: 4000 });
  });

  test.each([
    ["--max-todo-continuations", { flags: flags("--max-todo-continuations", "6") }],
    ["--til-done-max", { flags: { "til-done-max": "6" } }],
    ["the variable", { env: { TILDONE_MAX_TODO_CONTINUATIONS: "6" } }],
    ["the same value twice", { flags: flags("--max-todo-continuations", "6", "--max-continuations", "6") }],
  ])("%s", async (_name, more) => {
    expect((await load({}, more)).config.limits.stillTurns).toBe(6);
  });
});

describe("a mistake of the project's", () => {
  test("drops its file, says so with the line, and leaves yours alone", async () => {
    const { config, warnings, project } = await load({
      [USER_FILE]: most(12),
      [PROJECT_FILE]: `# ours\n${most(9)}\nbudget:\n  tokens: many\nchecks: { run: [npm test, { run: a, timout: 3 }] }\n`,
    });
    expect(config.limits.stillTurns).toBe(12);
    expect(warnings.map(({ code }) => code)).toEqual(["dropped"]);
    expect(sayWarning(warnings[0]!).replace(`${home.place}/`, "")).toBe(
      `${PROJECT_FILE}:4: budget.tokens must be a whole number from 1 to 1000000000000, or unlimited; it is "many". line 5: checks.run[1].timout is not a setting; did you mean checks.run[1].timeout? None of this project's settings are applied until you fix or remove the file.`,
    );
    expect(project?.mistakes.map(({ line }) => line)).toEqual([4, 5]);
  });

  test("does not hide yours", async () => {
    expect(await mistakes({ [USER_FILE]: "budget: 3", [PROJECT_FILE]: "budget: 4" })).toEqual([
      `${USER_FILE}: budget must be an object of settings; it is 3.`,
    ]);
  });

  test("finds lines in JSON and of rules", async () => {
    const rule = { name: "a", tool: "bash", decision: "deny", match: [{ tool: "read" }] };
    home.write("project/.tildone/config.json", JSON.stringify({ approval: { rules: [rule] } }, null, 2));
    const loaded = await loadConfig(request());
    expect(loaded.ok && loaded.project?.mistakes.map(({ line }) => line)).toEqual([expect.any(Number)]);
  });

  test.runIf(process.getuid?.() === 0)("a folder or a file of another user is not read", async () => {
    home.write(PROJECT_FILE, most(9));
    chownSync(join(home.cwd, ".tildone"), 12345, 12345);
    const foreign = await load();
    expect(foreign.config.limits.stillTurns).toBe(20);
    expect(sayWarning(foreign.warnings[0]!)).toContain(".tildone: belongs to another user");
    chownSync(join(home.cwd, ".tildone"), 0, 0);
    chownSync(join(home.place, PROJECT_FILE), 12345, 12345);
    expect((await load()).warnings[0]!.says).toContain("belongs to another user");
    home.write(USER_FILE, most(7));
    chownSync(join(home.place, USER_FILE), 12345, 12345);
    expect((await loadConfig(request())).ok).toBe(false);
  });
});

describe("mistakes are said with their place, and nothing is applied", () => {
  const user = USER_FILE;
  const rows: readonly [string, string, readonly string[]][] = [
    [
      "unknown key",
      "continuation: { maxContinuation: 3 }",
      [`${user}: continuation.maxContinuation is not a setting; did you mean continuation.maxContinuations?`],
    ],
    ["unknown section", "continuaton: {}", [`${user}: continuaton is not a setting; did you mean continuation?`]],
    ["nothing near", "colour: red", [`${user}: colour is not a setting; remove it.`]],
    [
      "snake case",
      "agents: { coder: { max_todo_continuations: 3 } }",
      [
        `${user}: agents.coder.max_todo_continuations is not a setting; did you mean agents.coder.maxTodoContinuations?`,
      ],
    ],
    [
      "snake case of a switch",
      "agents: { coder: { todo_driven_execution: true } }",
      [`${user}: agents.coder.todo_driven_execution is not a setting; did you mean agents.coder.todoDrivenExecution?`],
    ],
    [
      "unknown host",
      "hosts: { claudecode: { enabled: false } }",
      [`${user}: hosts.claudecode is not a setting; did you mean hosts.claude-code?`],
    ],
    ["a dotted key", "continuation.idleTurns: 3", [`${user}: continuation.idleTurns is not a setting; remove it.`]],
    [
      "wrong type",
      "continuation: { maxContinuations: many }",
      [`${user}: continuation.maxContinuations must be a whole number from 1 to 10000; it is "many".`],
    ],
    [
      "out of range",
      "continuation: { idleTurns: 0 }",
      [`${user}: continuation.idleTurns must be a whole number from 1 to 10000; it is 0.`],
    ],
    [
      "a time without a unit",
      "continuation: { countdown: 3 }",
      [`${user}: continuation.countdown must be a time with its unit (500ms, 3s, 10m, 2h; at most 10m); it is 3.`],
    ],
    ["a section that is none", "budget: 3", [`${user}: budget must be an object of settings; it is 3.`]],
    ["not an object", "- a\n- b", [`${user}: must be an object of settings; it is a list of 2.`]],
    [
      "every mistake at once",
      "budget: { tokens: -1, cost: x }",
      [
        `${user}: budget.tokens must be a whole number from 1 to 1000000000000, or unlimited; it is -1.`,
        `${user}: budget.cost must be a number above 0, at most 1000000, or unlimited; it is "x".`,
      ],
    ],
    [
      "an inherited name inside a list",
      "checks: { run: [{ run: npm test, constructor: 3 }] }",
      [`${user}: checks.run[0].constructor is not a setting; remove it.`],
    ],
    [
      "an absolute folder",
      "checks: { run: [{ run: npm test, cwd: /b }] }",
      [`${user}: checks.run[0].cwd must be a folder inside the project; it is "/b".`],
    ],
    [
      "inside a list",
      "checks: { run: [npm test, { run: npm test, timout: 3s }] }",
      [`${user}: checks.run[1].timout is not a setting; did you mean checks.run[1].timeout?`],
    ],
    [
      "a required field",
      "checks: { run: [{ cwd: a }] }",
      [`${user}: checks.run[0].run must be given: a shell line, or a list of at most 100, each a word.`],
    ],
    [
      "a check that proves nothing",
      "checks: { run: [npm test || true] }",
      [
        `${user}: checks.run[0] must be a check that can fail; this one always passes and proves nothing; it is "npm test || true".`,
      ],
    ],
    [
      "a folder outside",
      "checks: { run: [{ run: npm test, cwd: ../b }] }",
      [`${user}: checks.run[0].cwd must be a folder inside the project; it is "../b".`],
    ],
    [
      "two names, two values",
      "continuation: { maxContinuations: 3, maxTodoContinuations: 4 }",
      [
        `${user}: continuation.maxTodoContinuations and continuation.maxContinuations are one setting with two values; keep one of them.`,
      ],
    ],
    [
      "a rule whose example it does not cover",
      "approval: { rules: [{ name: tests, decision: allow, command: npm test, examples: { covers: [npm run test], spares: [] } }] }",
      [`${user}: approval.rules[0].examples.covers[0] the rule does not cover "npm run test".`],
    ],
    ["no YAML", "a: [", [expect.stringContaining(`${user}: cannot be parsed: `)]],
    [
      "a key twice",
      "budget: {}\nbudget: {}",
      [expect.stringContaining(`${user}: cannot be parsed: Map keys must be unique`)],
    ],
  ];
  test.each(rows)("%s", async (_name, content, expected) => {
    expect(await mistakes({ [USER_FILE]: content })).toEqual(expected);
  });

  const outside: readonly [string, More, string][] = [
    [
      "a variable",
      { env: { TILDONE_MAX_COST: "much" } },
      `TILDONE_MAX_COST: must be a number above 0, at most 1000000, or unlimited; it is "much".`,
    ],
    [
      "a flag",
      { flags: flags("--approval", "maybe") },
      `--approval: must be one of yolo, auto-edit, ask, plan; it is "maybe".`,
    ],
    [
      "a trivial check",
      { flags: flags("--check", "true") },
      `--check: must be a check that can fail; this one always passes and proves nothing; it is "true".`,
    ],
    [
      "two flags, two values",
      { flags: flags("--max-continuations", "3", "--max-todo-continuations", "4") },
      "--max-todo-continuations: and --max-continuations are one setting with two values; keep one of them.",
    ],
  ];
  test.each(outside)("%s", async (_name, more, expected) => {
    expect(await mistakes({}, more)).toEqual([expected]);
  });

  test("two files in one folder", async () => {
    const files = { [USER_FILE]: "", "home/.config/tildone/config.json": "{}" };
    expect(await mistakes(files)).toEqual([`${USER_FILE}: stands beside config.json; keep one of them.`]);
  });

  test("a variable that is none of ours is told, not refused", async () => {
    const { warnings } = await load({}, { env: { TILDONE_MAX_CONTINUATION: "3", TILDONE_HOME: "", PATH: "/bin" } });
    expect(warnings.map(({ source, says }) => `${source} ${says}`)).toEqual([
      "TILDONE_MAX_CONTINUATION is not a variable of tildone; did you mean TILDONE_MAX_CONTINUATIONS?",
    ]);
  });
});

test("what a worker of a fleet tells its agent is no mistake of yours", async () => {
  const env = { TILDONE_RUN_ID: "r1", TILDONE_BARRIER: "/tmp/s", TILDONE_TAKEOVER: "1", TILDONE_API_KEY: "k" };
  expect((await load({}, { env })).warnings).toEqual([]);
});

describe("a project that is not trusted", () => {
  const user = `
continuation: { countdown: 5s, maxContinuations: 10 }
approval: { mode: ask }
budget: { tokens: 1000 }
agents: { coder: { idleTurns: 2 } }
`;
  const rows: readonly [string, string, "ignored" | "applied"][] = [
    ["a longer leash", "continuation: { maxContinuations: 11 }", "ignored"],
    ["a shorter leash", "continuation: { maxContinuations: 9 }", "applied"],
    ["a longer leash than the default", "continuation: { turnsSinceProgress: 61 }", "ignored"],
    ["the agent's leash by way of the general one", "continuation: { idleTurns: 3 }", "ignored"],
    ["no time to step in", "continuation: { countdown: 0 }", "ignored"],
    ["a higher budget", "budget: { tokens: 1001 }", "ignored"],
    ["a budget where there was none", "budget: { cost: 3 }", "applied"],
    ["fewer questions", "approval: { mode: auto-edit }", "ignored"],
    ["no changes at all", "approval: { mode: plan }", "applied"],
    ["a rule", "approval: { rules: [{ name: a, decision: allow }] }", "ignored"],
    ["a command to run", "checks: { run: [make test] }", "ignored"],
    ["commands the model may run", "checks: { allow: [make *] }", "ignored"],
    ["more files to protect", "checks: { protect: [golden/**] }", "applied"],
    ["another agent on", "agents: { coder: { enabled: true }, '*': { enabled: true } }", "applied"], // coder is on already
    ["everything off", "continuation: { enabled: false }", "applied"],
    ["another model", "agents: { coder: { model: evil/model } }", "ignored"],
    ["folders of workflows", "workflows: { folders: [/elsewhere] }", "ignored"],
    ["how long background work is waited for", "waits: { background: 2h }", "applied"],
  ];
  test.each(rows)("%s is %s", async (_name, content, expected) => {
    const before = await load({ [USER_FILE]: user }, { agent: "coder" });
    const { config, warnings } = await load({ [PROJECT_FILE]: content }, { agent: "coder" });
    if (expected === "ignored") expect(config).toEqual(before.config);
    expect(warnings.map(({ code, source }) => [code, source])).toEqual(
      expected === "ignored" ? [["needs_trust", join(home.place, PROJECT_FILE)]] : [],
    );
    if (expected === "ignored") expect(warnings[0]!.says).toContain("`tildone trust`");
  });

  test("turning an agent on that is off", async () => {
    const { config, warnings } = await load(
      { [PROJECT_FILE]: "agents: { task: { enabled: true } }" },
      { agent: "task" },
    );
    expect([config.limits.enabled, warnings.map(({ key }) => key)]).toEqual([false, ["agents.task.enabled"]]);
  });

  test("what it protects stands beside the defaults, trusted or not; the user's list replaces them", async () => {
    const file = { [PROJECT_FILE]: "checks: { protect: [golden/**] }" };
    const { config, project } = await load(file);
    expect(config.checks.protect).toContain("golden/**");
    expect(config.checks.protect).toContain("**/*.{test,spec}.*");
    openTrust(directories(request())).trust(project!.root, [project!.file!]);
    expect((await load()).config.checks.protect).toEqual(config.checks.protect);
    const own = await load({ [USER_FILE]: "checks: { protect: [mine/**] }" });
    expect(own.config.checks.protect).toEqual(["mine/**", "golden/**"]);
  });

  test("trusted it is heard, until the file changes; then you are asked again", async () => {
    const loosened = `${most(13)}\nchecks: { run: [make test] }`;
    const { project } = await load({ [USER_FILE]: most(12), [PROJECT_FILE]: loosened });
    const trust = openTrust(directories(request()));
    trust.trust(project!.root, [project!.file!]);
    const trusted = await load();
    expect(trusted.config.limits.stillTurns).toBe(13);
    expect(trusted.config.checks.run).toEqual([{ run: "make test", by: "human" }]);
    expect([trusted.project?.standing, trusted.warnings]).toEqual(["trusted", []]);

    const changed = await load({ [PROJECT_FILE]: `${loosened}\n# and more` });
    expect(changed.config.limits.stillTurns).toBe(12);
    expect(changed.project?.standing).toBe("changed");
    expect(changed.warnings[0]!.says).toContain("changed since you trusted it");

    home.write(PROJECT_FILE, loosened);
    expect((await load()).config.limits.stillTurns).toBe(13);
    trust.untrust(home.cwd);
    expect((await load()).config.limits.stillTurns).toBe(12);
  });
});

describe("hostile project files", () => {
  const laughs = [
    "a: &a [x, x, x, x, x, x, x, x, x]",
    ..."bcdefgh".split("").map((name, index) => {
      const before = "abcdefg"[index];
      return `${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`;
    }),
  ].join("\n");
  const rows: readonly [string, string, string | object][] = [
    ["huge", `# ${"x".repeat(70_000)}`, "must have at most 65536 bytes."],
    ["deep", "[".repeat(30_000), expect.stringContaining("cannot be parsed: ")],
    ["a billion laughs", laughs, expect.stringContaining("cannot be parsed: Excessive alias count")],
    ["a prototype", "__proto__: { limits: 1 }", "__proto__ is not a setting; remove it."],
    [
      "a prototype below",
      "continuation: { __proto__: { enabled: true } }",
      "continuation.__proto__ is not a setting; remove it.",
    ],
    [
      "a prototype as an agent",
      "agents: { __proto__: { enabled: true } }",
      "agents.__proto__ is not a setting; remove it.",
    ],
    ["an inherited name", "budget: { toString: 3 }", "budget.toString is not a setting; remove it."],
    ["a merge key", "agents: { a: &a { enabled: true }, b: { <<: *a } }", "agents.b.<< is not a setting; remove it."],
    ["a tag", "notify: !!js/function 'x'", expect.stringContaining("cannot be parsed: Unresolved tag")],
  ];
  test.each(rows)("%s", async (_name, content, expected) => {
    const said = await mistakes({ [PROJECT_FILE]: content });
    expect(said).toHaveLength(1);
    expect(said[0]!.replace(`${PROJECT_FILE}: `, "")).toEqual(expected);
    expect(said[0]!.length).toBeLessThan(400);
    expect(({} as Record<string, unknown>).limits).toBeUndefined();
  });

  test("thousands of unknown keys are not all answered", async () => {
    const content = Array.from({ length: 8000 }, (_, index) => `k${index}: 1`).join("\n");
    expect(await mistakes({ [PROJECT_FILE]: content.slice(0, 60_000) })).toHaveLength(20);
  });

  test("JSON as well", async () => {
    const file = "project/.tildone/config.json";
    expect(await mistakes({ [file]: `{"__proto__": {"limits": 1}}` })).toEqual([
      `${file}: __proto__ is not a setting; remove it.`,
    ]);
    const [said] = await mistakes({ [file]: `{"notify": ${"[".repeat(20_000)}${"]".repeat(20_000)}}` });
    expect(said).toContain("notify must be");
    const rule = { name: "a", decision: "deny", args: "DEEP" };
    const deep = JSON.stringify({ approval: { rules: [rule] } }).replace(
      '"DEEP"',
      "[".repeat(30_000) + "]".repeat(30_000),
    );
    expect(await mistakes({ [file]: deep })).toEqual([
      `${file}: approval.rules[0].args must be a value nested at most 20 deep; it is a list of 1.`,
    ]);
  });

  test("an inherited name as an agent", async () => {
    const { config } = await load(
      { [PROJECT_FILE]: "agents: { constructor: { idleTurns: 1 } }" },
      { agent: "constructor" },
    );
    expect([config.limits.enabled, config.limits.idleTurns]).toEqual([false, 1]);
  });

  test("a link that leads out of the project", async () => {
    home.write("elsewhere/config.yaml", "continuation: { enabled: false }");
    mkdirSync(join(home.cwd, ".tildone"));
    symlinkSync(join(home.place, "elsewhere/config.yaml"), join(home.cwd, ".tildone/config.yaml"));
    const said = [`${PROJECT_FILE}: leads out of the project; a project's config must lie inside it.`];
    expect(await mistakes({})).toEqual(said);
    renameSync(join(home.cwd, ".tildone"), join(home.cwd, "links"));
    symlinkSync(join(home.place, "elsewhere"), join(home.cwd, ".tildone"));
    expect(await mistakes({})).toEqual(said);
  });

  test("a link that stays inside, and a user's link anywhere", async () => {
    home.write("project/shared/config.yaml", most(9));
    symlinkSync("shared", join(home.cwd, ".tildone"));
    home.write("dotfiles/tildone/config.yaml", most(12));
    mkdirSync(join(home.home, ".config"));
    symlinkSync(join(home.place, "dotfiles/tildone"), join(home.home, ".config/tildone"));
    expect((await load()).config.limits.stillTurns).toBe(9);
  });

  test("a folder or a pipe where the file should be", async () => {
    const said = [`${PROJECT_FILE}: must be a plain file.`];
    const path = join(home.place, PROJECT_FILE);
    mkdirSync(path, { recursive: true });
    expect(await mistakes({})).toEqual(said);
    rmdirSync(path);
    execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
    expect(await mistakes({})).toEqual(said);
  });
});
