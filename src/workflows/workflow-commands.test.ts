import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  aDirectory,
  keysOf,
  load,
  loadFolders,
  phaseFile,
  told,
  workflowFiles,
} from "../../test/builders/workflow-files.ts";
import { SHIPPED } from "./folders.ts";
import { drawWorkflow, findWorkflow, listWorkflows, newWorkflow, reportProblems } from "./index.ts";

test("the tree shows subworkflows, rules, todos and checks, numbered as a run visits them", async () => {
  const directory = aDirectory({
    ...workflowFiles("ship", ["plan", ">review", "out"]),
    ...workflowFiles("review", ["read", "judge"]),
    "ship/plan.md": phaseFile("plan", "tools:\n  blacklist: ['@write', bash]\n"),
    "ship/out.md": phaseFile("out", "todos:\n  - text: Publish\n    askFirst: true\nchecks: [npm test, [make, all]]\n"),
  });
  const found = findWorkflow(await load(directory), "ship");
  expect(found.status === "found" && drawWorkflow(found.start.forest)).toBe(`The ship (ship)
├─ 1. 🔧 Plan (plan)
│       tools: all except: @write, bash
├─ The review (review, may loop)
│  ├─ 2. 🔧 Read (read)
│  └─ 3. 🔧 Judge (judge)
└─ 4. 🔧 Out (out)
        todo: Publish (asks first)
        check: npm test
        check: ["make","all"]`);
});

test("the list says what can be started, what is left out and what waits for trust", async () => {
  const directory = aDirectory({
    ...workflowFiles("ship", ["plan", "out"]),
    ...workflowFiles("fix", ["plan"]),
    ...workflowFiles("part", ["x"], "show: workflows\n"),
    "broken/workflow.yaml": "[",
    "home/.pi/workflows/theirs/workflow.yaml": "",
  });
  const library = await loadFolders(
    [
      { path: directory, scope: "user" },
      { path: join(directory, "home/.pi/workflows"), scope: "project" },
    ],
    join(directory, "home"),
    false,
  );
  expect(listWorkflows(library)).toBe(`Workflows:
  fix   The fix (1 phase, user)
  ship  The ship (2 phases, user)
Left out, because of mistakes: broken
Not read: theirs in ${directory}/home/.pi/workflows, because this project is not trusted. Read them, then run: tildone trust`);
});

test("a name from a file does not reach the terminal with its control characters", async () => {
  const directory = aDirectory({
    "w/workflow.yaml": 'name: "a\\e[31mb"\ncommandName: w\ninitialMessage: x\nphases: [p.md]\n',
    "w/p.md": phaseFile("p"),
  });
  expect(listWorkflows(await load(directory))).toContain("a [31mb");
});

describe("the report", () => {
  test("groups mistakes by workflow", async () => {
    const directory = aDirectory({
      ...workflowFiles("good", ["plan"]),
      ...workflowFiles("warned", ["plan"], "colour: red\n"),
      ...workflowFiles("bad", ["plan", ">gone"], "loopable: maybe\n"),
    });
    const library = await load(directory);
    const { isSound, text } = reportProblems(library);
    expect(isSound).toBe(false);
    expect(text.replaceAll(`${directory}/`, "")).toBe(`✗ bad is left out
  bad/workflow.yaml:4: loopable: expected true or false, got "maybe"
  bad/workflow.yaml:7: phases[1]: there is no workflow "gone"
! warned
  warning: warned/workflow.yaml:4: colour: unknown field; expected name, show, commandName, initialMessage, roleInstruction, advanceReminder, blockReasonTemplate, notDoneReminder, completionMessage, loopable, sessionNamePrefix, sessionNameMaxLength, phases`);
    expect(reportProblems(library, "good")).toEqual({ isSound: true, text: "good is valid." });
  });
});

describe("a new workflow", () => {
  test("is valid as it is written, comments and all", async () => {
    const directory = aDirectory();
    expect(newWorkflow(directory, "ship-it")).toEqual({
      status: "written",
      files: ["workflow.yaml", "plan.md", "build.md"].map((name) => join(directory, "ship-it", name)),
    });
    const library = await load(directory);
    expect(told(library, directory)).toEqual([]);
    expect(keysOf(library)).toEqual(["ship-it"]);
  });

  test.each(["", "a b", "../out", ".hidden", "a/b", "x".repeat(64)])("refuses the name %j", (name) => {
    expect(newWorkflow(aDirectory(), name)).toMatchObject({ status: "refused" });
  });

  test("overwrites nothing", () => {
    const directory = aDirectory();
    mkdirSync(join(directory, "w"));
    expect(newWorkflow(directory, "w")).toEqual({
      status: "refused",
      message: `${join(directory, "w")} exists already.`,
    });
  });
});

test("more of anything than a user would write is refused by its number", async () => {
  const many = Array.from({ length: 101 }, (_, index) => `p${index}`);
  const directory = aDirectory({
    ...workflowFiles("w", many),
    ...workflowFiles("x", ["one"]),
    "x/one.md": phaseFile("one", `todos: [${many.slice(0, 51).join(", ")}]\n`),
  });
  const library = await load(directory);
  expect(told(library, directory)).toEqual([
    "error w/workflow.yaml:4: phases: expected at most 100 entries, got 101",
    "error x/one.md:5: todos: expected at most 50 entries, got 51",
  ]);
  const crowded = aDirectory();
  for (let index = 0; index < 1001; index++) mkdirSync(join(crowded, `w${index}`));
  expect(told(await load(crowded), crowded)).toEqual([
    `error ${crowded}: expected at most 1000 workflows, got 1001; the rest is left out`,
  ]);
});

test("the shipped workflows are valid and can be started", async () => {
  const library = await loadFolders([{ path: SHIPPED, scope: "shipped" }]);
  expect(told(library, SHIPPED)).toEqual([]);
  expect(listWorkflows(library)).toBe(`Workflows:
  bugfix   Bugfix (2 phases, shipped)
  feature  Feature (3 phases, shipped)
  release  Release (4 phases, shipped)`);
  const phases = ["bugfix", "feature", "release"].map((name) => {
    const found = findWorkflow(library, name);
    return (
      found.status === "found" &&
      drawWorkflow(found.start.forest)
        .match(/(?<=\()\w+(?=\)$)/gm)
        ?.slice(1)
        .join(" ")
    );
  });
  expect(phases).toEqual(["reproduce fix verify", "explore plan build review", "survey prepare rehearse publish"]);
});
