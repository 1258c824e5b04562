import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  aDirectory,
  type Files,
  keysOf,
  load,
  loadFolders,
  phaseFile,
  told,
  workflowFiles,
  writeFiles,
} from "../../test/builders/workflow-files.ts";
import type { PhaseDefinition } from "../core/workflow/index.ts";

test("a folder as the older implementation reads it, every field in use", async () => {
  const directory = aDirectory({
    "release/workflow.yaml": `
name: " Release "
commandName: ship_it-2
initialMessage: "Start {workflowName}: {description}"
show: user
loopable: false
sessionNamePrefix: "R: "
sessionNameMaxLength: 20
roleInstruction: You are {workflowName}.
advanceReminder: Call {toolName}.
blockReasonTemplate: No {toolName}.
notDoneReminder: Not done, {phaseName}.
completionMessage: Done, {taskDescription}.
phases:
  - plan.md
  - ../_shared/build.md
  - subworkflow: review
`,
    "release/plan.md": phaseFile(
      "plan",
      "tools:\n  blacklist: [edit, write, 7]\navailableProfiles:\n  - scout\n",
      "\n# Plan\n\nThink, {description}.\n",
    ),
    "_shared/build.md": phaseFile("build", "tools:\n  whitelist:\n    - bash\n    - '@read'\n").replaceAll(
      "\n",
      "\r\n",
    ),
    "review/workflow.yaml": "name: Review\nshow: workflows\nphases: [read.md]\n",
    "review/read.md": `\uFEFF${phaseFile("read")}`,
    "notes.txt": "not a workflow",
  });
  const library = await load(directory);
  expect(told(library, directory)).toEqual([]);
  expect(library.workflows.map(({ definition }) => definition)).toEqual([
    {
      key: "release",
      name: "Release",
      commandName: "ship_it-2",
      show: "user",
      initialMessage: "Start {workflowName}: {description}",
      loopable: false,
      sessionNamePrefix: "R: ",
      sessionNameMaxLength: 20,
      roleInstruction: "You are {workflowName}.",
      advanceReminder: "Call {toolName}.",
      blockReasonTemplate: "No {toolName}.",
      notDoneReminder: "Not done, {phaseName}.",
      completionMessage: "Done, {taskDescription}.",
      phases: [
        {
          id: "plan",
          name: "Plan",
          emoji: "🔧",
          instructions: "# Plan\n\nThink, {description}.",
          tools: { rule: "except", tools: ["edit", "write", "7"] },
          availableProfiles: ["scout"],
          checks: [],
          todos: [],
        },
        {
          id: "build",
          name: "Build",
          emoji: "🔧",
          instructions: "Do build.",
          tools: { rule: "only", tools: ["bash", "@read"] },
          availableProfiles: [],
          checks: [],
          todos: [],
        },
        { subworkflow: "review" },
      ],
    },
    expect.objectContaining({ key: "review", commandName: "", show: "workflows", initialMessage: "", loopable: true }),
  ]);
});

test("checks and todos of a phase, short and long", async () => {
  const header = `
checks:
  - npm test
  - [npm, run, lint]
  - run: make
    cwd: native
    timeout: 90s
todos:
  - Write the plan
  - text: Ask for review
    priority: high
    askFirst: true
    checks: [test -f plan.md]
`;
  const directory = aDirectory({ ...workflowFiles("w", ["plan"]), "w/plan.md": phaseFile("plan", header) });
  const library = await load(directory);
  expect(told(library, directory)).toEqual([]);
  expect(library.workflows[0]?.definition.phases[0]).toMatchObject({
    checks: [
      { run: "npm test", by: "plan" },
      { run: ["npm", "run", "lint"], by: "plan" },
      { run: "make", cwd: "native", timeoutMs: 90_000, by: "plan" },
    ],
    todos: [
      { text: "Write the plan", priority: "medium", askFirst: false, checks: [] },
      { text: "Ask for review", priority: "high", askFirst: true, checks: [{ run: "test -f plan.md", by: "plan" }] },
    ],
  });
});

const PHASE = "w/plan.md";
const FLOW = "w/workflow.yaml";
const minimal = (changes: string) => `name: W\ncommandName: w\ninitialMessage: Go.\nphases: [plan.md]\n${changes}`;

describe("every mistake is named with file, line, field and what was expected", () => {
  test.each<[string, Files, string]>([
    ["not YAML", { [FLOW]: "name: [\n" }, `w/workflow.yaml:2: expected YAML: `],
    ["a list", { [FLOW]: "- name" }, "w/workflow.yaml:1: expected fields, got a list"],
    ["empty", { [FLOW]: "" }, "w/workflow.yaml:1: expected fields, got an empty value"],
    [
      "a field twice",
      { [FLOW]: minimal("name: again\n") },
      "w/workflow.yaml:5: expected YAML: Map keys must be unique",
    ],
    ["aliases without end", { [FLOW]: bomb() }, "w/workflow.yaml:1: expected YAML: Excessive alias count"],
    ["nesting without end", { [FLOW]: `name: ${"[".repeat(30_000)}` }, "w/workflow.yaml:1: expected YAML: "],
    [
      "no name",
      { [FLOW]: minimal("").replace("name: W\n", "") },
      "w/workflow.yaml:1: name: expected text, got nothing",
    ],
    ["a blank name", { [FLOW]: minimal("").replace("W", '" "') }, 'w/workflow.yaml:1: name: expected text, got " "'],
    [
      "a name that is a number",
      { [FLOW]: minimal("").replace("W", "7") },
      "w/workflow.yaml:1: name: expected text, got 7",
    ],
    [
      "no command",
      { [FLOW]: minimal("").replace("commandName: w\n", "") },
      "w/workflow.yaml:1: commandName: expected text, got nothing",
    ],
    [
      "a bad command",
      { [FLOW]: minimal("").replace("Name: w", "Name: a b") },
      'w/workflow.yaml:2: commandName: expected letters, digits, - and _ only, got "a b"',
    ],
    [
      "no first message",
      { [FLOW]: minimal("").replace("initialMessage: Go.\n", "") },
      "w/workflow.yaml:1: initialMessage: expected text, got nothing",
    ],
    [
      "no phases",
      { [FLOW]: minimal("").replace("phases: [plan.md]\n", "") },
      "w/workflow.yaml:1: phases: expected at least one phase",
    ],
    [
      "empty phases",
      { [FLOW]: minimal("").replace("[plan.md]", "[]") },
      "w/workflow.yaml:4: phases: expected at least one phase",
    ],
    [
      "phases as text",
      { [FLOW]: minimal("").replace("[plan.md]", "plan.md") },
      'w/workflow.yaml:4: phases: expected a list, got "plan.md"',
    ],
    [
      "a bad entry",
      { [FLOW]: minimal("").replace("[plan.md]", "[7]") },
      "w/workflow.yaml:4: phases[0]: expected a phase file or { subworkflow: <key> }, got 7",
    ],
    [
      "an empty reference",
      { [FLOW]: minimal("").replace("[plan.md]", "\n  - plan.md\n  - subworkflow: ''") },
      "w/workflow.yaml:6: phases[1].subworkflow: expected text, got empty text",
    ],
    [
      "a phase twice",
      { [FLOW]: minimal("").replace("[plan.md]", "[plan.md, plan.md]") },
      'w/workflow.yaml:4: phases[1]: expected another id: "plan" is the id of phases[0] too',
    ],
    [
      "a missing phase",
      { [FLOW]: minimal("").replace("plan.md", "gone.md") },
      'w/workflow.yaml:4: phases[0]: expected a phase file, but there is no "gone.md"',
    ],
    [
      "a folder as phase",
      { [FLOW]: minimal("").replace("plan.md", "sub"), "w/sub/x.md": "" },
      "w/sub: expected a file",
    ],
    [
      "W22 bad show",
      { [FLOW]: minimal("show: all\n") },
      'w/workflow.yaml:5: show: expected user or workflows, got "all"',
    ],
    [
      "W22 bad loopable",
      { [FLOW]: minimal("loopable: 'no'\n") },
      'w/workflow.yaml:5: loopable: expected true or false, got "no"',
    ],
    [
      "W22 bad length",
      { [FLOW]: minimal("sessionNameMaxLength: -1\n") },
      "w/workflow.yaml:5: sessionNameMaxLength: expected a whole number from 1 to 1000, got -1",
    ],
    [
      "a template that is a list",
      { [FLOW]: minimal("roleInstruction: [a]\n") },
      "w/workflow.yaml:5: roleInstruction: expected text, got a list",
    ],
    [
      "too large",
      { [FLOW]: minimal(`# ${"x".repeat(70_000)}`) },
      "w/workflow.yaml: expected at most 65536 bytes, got 70063",
    ],
    ["not UTF-8", { [FLOW]: Buffer.from([0x6e, 0xff]) }, "w/workflow.yaml: expected UTF-8 text"],
    [
      "no header",
      { [PHASE]: "Just text." },
      "w/plan.md:1: expected a header between two lines of ---, with id, name and emoji",
    ],
    ["an open header", { [PHASE]: "---\nid: plan\n" }, "w/plan.md:1: expected a header between"],
    ["a broken header", { [PHASE]: "---\nid: plan\nname: [\n---\nx" }, "w/plan.md:3: expected YAML in the header: "],
    [
      "a header that is text",
      { [PHASE]: "---\nplan\n---\nx" },
      'w/plan.md:2: expected fields in the header, got "plan"',
    ],
    ["no id", { [PHASE]: "---\nname: P\nemoji: x\n---\nx" }, "w/plan.md:2: id: expected text, got nothing"],
    ["no phase name", { [PHASE]: "---\nid: p\nemoji: x\n---\nx" }, "w/plan.md:2: name: expected text, got nothing"],
    [
      "no emoji",
      { [PHASE]: "---\nid: p\nname: x\nemoji:\n---\nx" },
      "w/plan.md:4: emoji: expected text, got an empty value",
    ],
    [
      "no instructions",
      { [PHASE]: phaseFile("plan", "", " \n") },
      "w/plan.md: body: expected the instructions below the header, got nothing",
    ],
    [
      "both lists",
      { [PHASE]: phaseFile("plan", "tools:\n  blacklist: [a]\n  whitelist: [b]\n") },
      "w/plan.md:5: tools: expected either blacklist or whitelist, got both",
    ],
    [
      "a list that is text",
      { [PHASE]: phaseFile("plan", "tools:\n  blacklist: edit\n") },
      'w/plan.md:6: tools.blacklist: expected a list, got "edit"',
    ],
    [
      "an empty whitelist field",
      { [PHASE]: phaseFile("plan", "tools:\n  whitelist:\n") },
      "w/plan.md:6: tools.whitelist: expected a list, got an empty value",
    ],
    [
      "tools that are a list",
      { [PHASE]: phaseFile("plan", "tools: [edit]\n") },
      "w/plan.md:5: tools: expected blacklist or whitelist, got a list",
    ],
    [
      "an unknown group",
      { [PHASE]: phaseFile("plan", "tools:\n  blacklist:\n    - edit\n    - '@writes'\n") },
      'w/plan.md:8: tools.blacklist[1]: expected a tool or @read, @write, @shell, @network, got "@writes"',
    ],
    [
      "a tool that is a mapping",
      { [PHASE]: phaseFile("plan", "tools:\n  whitelist: [{ a: b }]\n") },
      "w/plan.md:6: tools.whitelist[0]: expected a name, got a mapping",
    ],
    [
      "a check that is a number",
      { [PHASE]: phaseFile("plan", "checks: [7]\n") },
      "w/plan.md:5: checks[0]: expected a command, got 7",
    ],
    [
      "a check that proves nothing",
      { [PHASE]: phaseFile("plan", "checks: ['npm test || true']\n") },
      "w/plan.md:5: checks[0]: expected a check that can fail; this one always passes",
    ],
    [
      "a check without a unit of time",
      { [PHASE]: phaseFile("plan", "checks:\n  - run: x\n    timeout: 10\n") },
      "w/plan.md:7: checks[0].timeout: expected a time with its unit (30s, 10m, 2h; at most 24h), got 10",
    ],
    [
      "a check that leads out",
      { [PHASE]: phaseFile("plan", "checks:\n  - run: x\n    cwd: ../..\n") },
      "w/plan.md:7: checks[0].cwd: expected a path inside the project",
    ],
    [
      "a blank todo",
      { [PHASE]: phaseFile("plan", "todos: [' ']\n") },
      'w/plan.md:5: todos[0].text: expected text, got " "',
    ],
    [
      "a todo twice",
      { [PHASE]: phaseFile("plan", "todos: [a, a]\n") },
      "w/plan.md:5: todos[1]: expected another text: it stands on the list twice",
    ],
  ])("%s", async (_mistake, files, expected) => {
    const directory = aDirectory({ ...workflowFiles("w", ["plan"]), ...workflowFiles("other", ["one"]), ...files });
    const library = await load(directory);
    expect(told(library, directory).map((line) => line.replace(/^error /, ""))).toEqual([
      expect.stringContaining(expected),
    ]);
    expect(keysOf(library)).toEqual(["other"]);
  });

  test("all mistakes at once", async () => {
    const directory = aDirectory({ [FLOW]: "show: x\nloopable: 3\nphases: [a.md, b.md]\n", "w/a.md": "---\n---\n" });
    expect(told(await load(directory), directory)).toEqual([
      "error w/a.md:2: id: expected text, got nothing",
      "error w/a.md:2: name: expected text, got nothing",
      "error w/a.md:2: emoji: expected text, got nothing",
      "error w/a.md: body: expected the instructions below the header, got nothing",
      "error w/workflow.yaml:1: name: expected text, got nothing",
      'error w/workflow.yaml:1: show: expected user or workflows, got "x"',
      "error w/workflow.yaml:1: commandName: expected text, got nothing",
      "error w/workflow.yaml:1: initialMessage: expected text, got nothing",
      "error w/workflow.yaml:2: loopable: expected true or false, got 3",
      'error w/workflow.yaml:3: phases[1]: expected a phase file, but there is no "b.md"',
    ]);
  });
});

test.each<[string, Files, string]>([
  [
    "a misspelt field",
    { [FLOW]: minimal("loopabel: true\n") },
    "warning w/workflow.yaml:5: loopabel: unknown field; expected name, show,",
  ],
  [
    "a misspelt phase field",
    { [PHASE]: phaseFile("plan", "profiles: [a]\n") },
    "warning w/plan.md:5: profiles: unknown field; expected id,",
  ],
  [
    "an unknown variable",
    { [FLOW]: minimal("notDoneReminder: Go on, {phase}!\n") },
    "warning w/workflow.yaml:5: notDoneReminder: unknown variable {phase} stays as written; known here: {workflowName}",
  ],
  [
    "an unknown variable in a phase",
    { [PHASE]: phaseFile("plan", "", "Use {toolname}.") },
    "warning w/plan.md: body: unknown variable {toolname} stays as written",
  ],
])("%s is warned about, and the workflow is usable", async (_name, files, expected) => {
  const directory = aDirectory({ ...workflowFiles("w", ["plan"]), ...files });
  const library = await load(directory);
  expect(told(library, directory)).toEqual([expect.stringContaining(expected)]);
  expect(keysOf(library)).toEqual(["w"]);
});

describe("folders", () => {
  test("a missing one is empty; one that cannot be read or is a file is reported", async () => {
    const directory = aDirectory({ file: "x", ...workflowFiles("locked/w", ["plan"]) });
    chmodSync(join(directory, "locked"), 0);
    const library = await loadFolders(
      ["missing", "file", "locked"].map((name) => ({ path: join(directory, name), scope: "user" })),
    );
    chmodSync(join(directory, "locked"), 0o755);
    const lines = told(library, directory);
    expect(lines[0]).toBe("error file: expected a folder");
    if (process.getuid?.() !== 0) expect(lines[1]).toContain("error locked: cannot be read");
  });

  test("the project replaces the user by key, ours replaces pi's, and the shipped ones give way to all", async () => {
    const directory = aDirectory({
      ...at("shipped", workflowFiles("a", ["s"])),
      ...at("shipped", workflowFiles("b", ["s"])),
      ...at("user", workflowFiles("a", ["u"])),
      ...at("user", workflowFiles("c", ["u"])),
      ...at("ours", workflowFiles("c", ["o"])),
      ...at("home/project", workflowFiles("a", ["p"])),
    });
    const library = await loadFolders(
      [
        { path: join(directory, "shipped"), scope: "shipped" },
        { path: join(directory, "user"), scope: "user" },
        { path: join(directory, "ours"), scope: "user" },
        { path: join(directory, "home/project"), scope: "project" },
      ],
      join(directory, "home"),
    );
    expect(
      library.workflows.map(
        ({ definition, scope }) => `${scope} ${definition.key} ${(definition.phases[0] as PhaseDefinition).id}`,
      ),
    ).toEqual(["user c o", "project a p", "shipped b s"]);
    expect(told(library, directory)).toEqual([
      "warning user/c/workflow.yaml: not used: ours/c/workflow.yaml has the same key",
    ]);
  });

  test("a broken workflow of the project does not give way to the user's of the same key: it would be another one", async () => {
    const directory = aDirectory({
      ...at("user", workflowFiles("a", ["u"])),
      "home/.pi/workflows/a/workflow.yaml": "name: 7\n",
    });
    const library = await loadFolders(
      [
        { path: join(directory, "user"), scope: "user" },
        { path: join(directory, "home/.pi/workflows"), scope: "project" },
      ],
      join(directory, "home"),
    );
    expect(keysOf(library)).toEqual([]);
  });

  test("the same command name is named; the user's workflow is started by it", async () => {
    const directory = aDirectory({
      ...at("shipped", renamed("s", "go")),
      ...at("user", renamed("u", "go")),
      ...at("home/p", renamed("p", "go")),
    });
    const library = await loadFolders(
      [
        { path: join(directory, "shipped"), scope: "shipped" },
        { path: join(directory, "user"), scope: "user" },
        { path: join(directory, "home/p"), scope: "project" },
      ],
      join(directory, "home"),
    );
    expect(told(library, directory)).toEqual([
      'warning home/p/p/workflow.yaml: commandName: "go" starts "u" (user/u/workflow.yaml), which has the same command name; give one of them another',
    ]);
  });

  test("each load reads the files anew", async () => {
    const directory = aDirectory(workflowFiles("w", ["plan"]));
    const before = await load(directory);
    writeFiles(directory, { "w/plan.md": phaseFile("plan", "", "Think again.") });
    const after = await load(directory);
    expect([before, after].map(({ workflows }) => workflows[0]?.definition.phases[0])).toMatchObject([
      { instructions: "Do plan." },
      { instructions: "Think again." },
    ]);
  });

  test("W14: a workflow stands one level deep: one below a folder of shared phases is not found", async () => {
    expect(keysOf(await load(aDirectory(at("_shared", workflowFiles("w", ["plan"])))))).toEqual([]);
  });
});

describe("trust", () => {
  const project = (directory: string) => [{ path: join(directory, ".tildone/workflows"), scope: "project" }] as const;

  test("workflows of a project that is not trusted are named, not read", async () => {
    const directory = aDirectory({
      ...at(".tildone/workflows", workflowFiles("w", ["plan"])),
      ".tildone/workflows/broken/workflow.yaml": "[",
    });
    expect(await loadFolders(project(directory), directory, false)).toEqual({
      workflows: [],
      problems: [],
      untrusted: [{ path: join(directory, ".tildone/workflows"), keys: ["broken", "w"] }],
    });
    expect(keysOf(await loadFolders(project(directory), directory, true))).toEqual(["w"]);
  });

  test("a project without workflows asks no question", async () => {
    const directory = aDirectory({ ".tildone/workflows/_shared/plan.md": phaseFile("plan") });
    const asked: string[] = [];
    const { loadWorkflows } = await import("./index.ts");
    await loadWorkflows({ folders: project(directory), project: directory, isTrusted: (path) => asked.push(path) > 0 });
    expect(asked).toEqual([]);
  });
});

describe("nothing outside the folder is read", () => {
  test.each([
    ["up and out", "../../secret.md", "leads out of it"],
    ["up and out, and nothing there", "../../nothing.md", "leads out of it"],
    ["the root itself", "..", "leads out of it"],
    ["an absolute path", "/etc/passwd", "expected a path relative to the workflow"],
    ["a drive of Windows", "C:\\secret.md", "expected a path relative to the workflow"],
    ["a share of Windows", "\\\\server\\secret.md", "expected a path relative to the workflow"],
    ["a link that leads out", "link.md", "leads out of it"],
    ["a folder that leads out", "out/secret.md", "leads out of it"],
  ])("%s", async (_way, entry, expected) => {
    const directory = aDirectory({
      "secret.md": phaseFile("plan"),
      "root/w/workflow.yaml": `name: W\ncommandName: w\ninitialMessage: Go.\nphases: ['${entry}']\n`,
    });
    symlinkSync("../../secret.md", join(directory, "root/w/link.md"));
    symlinkSync("../..", join(directory, "root/w/out"));
    const library = await load(join(directory, "root"));
    expect(told(library, directory)).toEqual([expect.stringContaining(expected)]);
    expect(library.workflows).toEqual([]);
  });

  test("links inside the folder are followed", async () => {
    const directory = aDirectory({ ...workflowFiles("w", ["plan"]), "_shared/real.md": phaseFile("plan") });
    symlinkSync("../_shared/real.md", join(directory, "w/linked.md"));
    writeFiles(directory, { [FLOW]: minimal("").replace("plan.md", "linked.md") });
    expect(keysOf(await load(directory))).toEqual(["w"]);
  });

  test("a workflow that is a link out of the folder, and a project folder that is one", async () => {
    const directory = aDirectory({ ...at("elsewhere", workflowFiles("w", ["plan"])) });
    mkdirSync(join(directory, "home/.pi"), { recursive: true });
    mkdirSync(join(directory, "user"));
    symlinkSync("../../elsewhere", join(directory, "home/.pi/workflows"));
    symlinkSync("../elsewhere/w", join(directory, "user/w"));
    const library = await loadFolders(
      [
        { path: join(directory, "user"), scope: "user" },
        { path: join(directory, "home/.pi/workflows"), scope: "project" },
      ],
      join(directory, "home"),
    );
    expect(told(library, directory)).toEqual([
      expect.stringMatching(/^error home\/.pi\/workflows: expected a folder inside .*home, but it leads out of it$/),
      expect.stringMatching(/^error user\/w\/workflow.yaml: expected a file inside .*user, but it leads out of it$/),
    ]);
  });

  test("a user's folder that is itself a link is the user's choice", async () => {
    const directory = aDirectory(at("dotfiles", workflowFiles("w", ["plan"])));
    symlinkSync("dotfiles", join(directory, "workflows"));
    expect(keysOf(await load(join(directory, "workflows")))).toEqual(["w"]);
  });
});

function at(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

function renamed(key: string, command: string): Files {
  const files = workflowFiles(key, ["one"]);
  const flow = `${key}/workflow.yaml`;
  return { ...files, [flow]: String(files[flow]).replace(`commandName: ${key}`, `commandName: ${command}`) };
}

function bomb(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 9; i++)
    lines.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(", ")}]`,
    );
  return lines.join("\n");
}
