import { describe, expect, test } from "vitest";
import { proposed } from "../../test/builders/workflow.ts";
import {
  aDirectory,
  load,
  loadFolders,
  phaseFile,
  workflowFiles,
  writeFiles,
} from "../../test/builders/workflow-files.ts";
import { driftIn, findWorkflow, userWorkflows } from "./index.ts";

describe("findWorkflow", () => {
  test("gives everything a start needs: the whole forest, itself first, and its fingerprint", async () => {
    const directory = aDirectory({
      ...workflowFiles("a", ["one", ">b", ">c"]),
      ...workflowFiles("b", [">c"]),
      ...workflowFiles("c", ["two"]),
      ...workflowFiles("other", ["three"]),
    });
    const found = findWorkflow(await load(directory), "a");
    expect(found).toMatchObject({
      status: "found",
      start: { workflowKey: "a", fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    if (found.status !== "found") return;
    expect(found.start.forest.map(({ key }) => key)).toEqual(["a", "b", "c"]);
  });

  test.each([
    ["unknown", "missing", "unknown", 'Unknown workflow: "missing". Available: flow'],
    [
      "internal",
      "part",
      "internal",
      '"part" is a subworkflow that can only run as part of another workflow. It cannot be started directly.',
    ],
    ["broken", "broken", "broken", 'The workflow "broken" is left out:\n  DIR/broken/workflow.yaml:1: expected YAML: '],
  ])("%s", async (_name, name, why, message) => {
    const directory = aDirectory({
      ...workflowFiles("flow", ["one"]),
      ...workflowFiles("part", ["one"], "show: workflows\n"),
      "broken/workflow.yaml": "[",
    });
    const found = findWorkflow(await load(directory), name);
    expect(found).toEqual({
      status: "not_found",
      why,
      message: expect.stringContaining(message.replace("DIR", directory)),
    });
  });

  test("untrusted", async () => {
    const directory = aDirectory(workflowFiles("ship", ["one"]));
    const library = await loadFolders([{ path: directory, scope: "project" }], directory, false);
    expect(findWorkflow(library, "ship")).toEqual({
      status: "not_found",
      why: "untrusted",
      message: `The workflow "ship" comes from ${directory}, and you have not trusted this project. Read its files, then run: tildone trust`,
    });
  });

  test("nothing to offer", async () => {
    expect(findWorkflow(await load(aDirectory()), "x")).toMatchObject({
      message: 'Unknown workflow: "x". Available: (none)',
    });
  });
});

test("W13: what is offered is what a user may start, and nothing else", async () => {
  const directory = aDirectory({
    ...workflowFiles("a", ["one"]),
    ...workflowFiles("part", ["one"], "show: workflows\n"),
    "hidden/workflow.yaml": "name: Hidden\nshow: workflows\nphases: [x.md]\n",
    "hidden/x.md": phaseFile("x"),
  });
  expect(userWorkflows(await load(directory)).map(({ definition }) => definition.commandName)).toEqual(["a"]);
});

test("W11: drift of the files is seen, wherever in the forest they changed", async () => {
  const directory = aDirectory({ ...workflowFiles("a", [">b"]), ...workflowFiles("b", ["one"]) });
  const found = findWorkflow(await load(directory), "a");
  if (found.status !== "found") throw new Error("expected a workflow");
  const state = proposed(found.start);
  expect(driftIn(await load(directory), state)).toBe("none");
  writeFiles(directory, { "b/one.md": phaseFile("one", "", "Something else.") });
  expect(driftIn(await load(directory), state)).toBe("changed");
  writeFiles(directory, { "b/one.md": "broken" });
  expect(driftIn(await load(directory), state)).toBe("missing");
});
