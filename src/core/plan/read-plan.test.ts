import { expect, test } from "vitest";
import { readPlan } from "./read-plan.ts";

test("boxes become items; a parent needs its children; ticked ones are done", () => {
  const plan = readPlan(`# Ship it

- [ ] Release
  - [x] Write the notes
  - [ ] Build
    - [ ] Sign
1. [ ] Announce
\`\`\`
- [ ] not this one
\`\`\`
- plain bullet
`);
  expect(plan).toEqual({
    ok: true,
    title: "Ship it",
    items: [
      { text: "Release", status: "open", needs: [1, 2] },
      { text: "Write the notes", status: "done", needs: [] },
      { text: "Build", status: "open", needs: [3] },
      { text: "Sign", status: "open", needs: [] },
      { text: "Announce", status: "open", needs: [] },
    ],
  });
});

test("as much as a list holds is not too much", () => {
  const plan = readPlan(Array.from({ length: 100 }, (_, at) => `- [ ] ${String(at).padEnd(1000, "x")}`).join("\n"));
  expect(plan).toMatchObject({ ok: true, items: { length: 100 } });
});

test.each([
  ["no boxes", "just words", "it has no checkboxes"],
  [
    "too many",
    Array.from({ length: 101 }, (_, at) => `- [ ] item ${at}`).join("\n"),
    "Move the boxes from line 101 on into a second file",
  ],
  ["too long", `- [ ] ${"x".repeat(1001)}`, "line 1 has 1001 characters"],
])("%s", (_what, text, message) =>
  expect(readPlan(text)).toMatchObject({ ok: false, message: expect.stringContaining(message) }),
);

test("marks of common tools: in progress, cancelled; marks without a common meaning are open, references are no boxes", () => {
  const plan = readPlan(`- [ ] a
  - [~] b
  - [-] c
  - [/] d
- [!] e
- [✓] f
- [1] a reference
- [a] another
`);
  expect(plan).toMatchObject({
    items: [
      { text: "a", status: "open", needs: [1, 3] },
      { text: "b", status: "in_progress" },
      { text: "c", status: "cancelled" },
      { text: "d", status: "in_progress" },
      { text: "e", status: "open" },
      { text: "f", status: "done" },
    ],
  });
});

test("a long plan of which little is left fits: what is done stays off the list", () => {
  const done = Array.from({ length: 150 }, (_, at) => `- [x] done ${at}`);
  const plan = readPlan([...done, "- [ ] parent", "  - [ ] child", "  - [-] not this"].join("\n"));
  expect(plan).toMatchObject({ ok: true, items: [{ text: "parent", needs: [1] }, { text: "child" }] });
});
