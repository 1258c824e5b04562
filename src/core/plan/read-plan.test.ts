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
      { text: "Release", ticked: false, needs: [1, 2] },
      { text: "Write the notes", ticked: true, needs: [] },
      { text: "Build", ticked: false, needs: [3] },
      { text: "Sign", ticked: false, needs: [] },
      { text: "Announce", ticked: false, needs: [] },
    ],
  });
});

test("as much as a list holds is not too much", () => {
  const plan = readPlan(Array.from({ length: 100 }, (_, at) => `- [ ] ${String(at).padEnd(1000, "x")}`).join("\n"));
  expect(plan).toMatchObject({ ok: true, items: { length: 100 } });
});

test.each([
  ["no boxes", "just words", "it has no checkboxes"],
  ["too many", Array.from({ length: 101 }, (_, at) => `- [ ] item ${at}`).join("\n"), "it has 101 checkboxes"],
  ["too long", `- [ ] ${"x".repeat(1001)}`, "line 1 has 1001 characters"],
])("%s", (_what, text, message) =>
  expect(readPlan(text)).toMatchObject({ ok: false, message: expect.stringContaining(message) }),
);
