// What docs/reference/workflows.md says of fields is what the reader knows: each mapping is given a field that it warns about.
import { expect, test } from "vitest";
import { FIELDS } from "../tools/workflow-page.ts";
import { aDirectory, load } from "./builders/workflow-files.ts";

const PHASE = `---
id: find
name: Find
emoji: x
odd: 1
tools: { blacklist: [], odd: 1 }
checks: [{ run: npm test, odd: 1 }]
todos: [{ text: a, odd: 1 }]
---
Find it.
`;
const WORKFLOW = `name: Hotfix
commandName: hotfix
initialMessage: go
odd: 1
phases: [find.md, { subworkflow: other, odd: 1 }]
`;

const PLACES: Readonly<Record<keyof typeof FIELDS, string>> = {
  "workflow.yaml": "odd",
  "an entry of `phases`": "phases[1].odd",
  "the header of a phase file": "odd",
  "`tools`": "tools.odd",
  "an entry of `checks`": "checks[0].odd",
  "an entry of `todos`": "todos[0].odd",
};

const FILES = {
  "hotfix/workflow.yaml": WORKFLOW,
  "hotfix/find.md": PHASE,
  "other/workflow.yaml": "name: Other\nshow: workflows\nphases: [one.md]\n",
  "other/one.md": PHASE.replaceAll(/^odd: 1\n|, odd: 1/gm, ""),
};

test.each(Object.entries(FIELDS))("%s", async (where, rows) => {
  const { problems } = await load(aDirectory(FILES));
  const isHeader = where !== "workflow.yaml";
  const [warning] = problems.filter(
    ({ field, file }) =>
      field === PLACES[where as keyof typeof FIELDS] && (where.includes("phases") || file.endsWith(".md") === isHeader),
  );
  const known = /unknown field; expected (.*)$/.exec(warning?.message ?? "")?.[1]?.split(", ");
  expect(rows.map(([name]) => name.replace("!", "")).sort()).toEqual(known?.sort());
});
