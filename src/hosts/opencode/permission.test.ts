import { describe, expect, test } from "vitest";
import { MOST_APPROVED } from "../../core/call/index.ts";
import { approvalOf, outcomeOf, replyOf } from "./permission.ts";

const now = 5_000;
const redact = (text: string) => text.replaceAll("hunter2", "[redacted $PASSWORD]");
const ASKED = { id: "per_1", permission: "bash", patterns: ["git push *"], always: ["git push *"], metadata: {} };
const DIFF = "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-old\n+new\n";

describe("what OpenCode asks, as an approval", () => {
  test.each([
    [
      "a command is shown whole, not as its patterns",
      { ...ASKED, metadata: { command: "cd api &&\\ngit push -f" } },
      { tool: "bash", args: { command: "cd api &&\ngit push -f", description: "push" } },
      { tool: "bash", what: "cd api &&\ngit push -f", shows: "command", always: "bash git push *", alwaysTool: false },
    ],
    [
      "a change is its diff",
      { ...ASKED, permission: "edit", patterns: ["a.txt"], metadata: { filepath: "a.txt", diff: DIFF } },
      { tool: "edit", args: { filePath: "a.txt" } },
      { tool: "edit", what: DIFF, because: "OpenCode asks: edit a.txt" },
    ],
    [
      "any other call is shown with its arguments",
      { ...ASKED, permission: "external_directory", patterns: ["/etc/*"], always: [] },
      { tool: "read", args: { filePath: "/etc/passwd" } },
      {
        tool: "read",
        what: 'read\n{\n  "filePath": "/etc/passwd"\n}',
        because: "OpenCode asks: external_directory /etc/*",
      },
    ],
    ["a call that was not seen is shown by its patterns", ASKED, undefined, { tool: "bash", what: "git push *" }],
    [
      "a secret of the environment is hidden",
      ASKED,
      { tool: "bash", args: { command: "echo hunter2" } },
      { what: "echo [redacted $PASSWORD]" },
    ],
  ])("%s", (_what, asked, started, approval) => {
    expect(approvalOf(asked, started, { now, redact })).toMatchObject({ call: "per_1", askedAt: now, ...approval });
  });

  test("it never ends by itself, and two requests for the same are told apart", () => {
    const [one, two] = ["per_1", "per_2"].map((id) => approvalOf({ ...ASKED, id }, undefined, { now, redact }));
    expect(one).not.toHaveProperty("endsAt");
    expect(one!.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(one!.digest).not.toBe(two!.digest);
  });

  test("what is too long to be shown in full cannot be approved from outside", () => {
    const args = { command: "x".repeat(MOST_APPROVED + 1) };
    expect(approvalOf(ASKED, { tool: "bash", args }, { now, redact })).toBeUndefined();
  });
});

test.each([
  ["once", "", { reply: "once" }],
  ["always_rule", "", { reply: "always" }],
  ["denied", "use npm", { reply: "reject", message: "use npm" }],
  ["denied", "", { reply: "reject" }],
  ["stopped", "enough", { reply: "reject" }],
  ["withdrawn", "", undefined],
  ["timed_out", "", undefined],
] as const)("%s %s -> %o", (outcome, words, reply) => expect(replyOf(outcome, words)).toEqual(reply));

test("an answer of OpenCode in our words; what is not known is no approval", () => {
  expect(["once", "always", "reject", "later", undefined].map(outcomeOf)).toEqual([
    "once",
    "always_rule",
    "denied",
    "denied",
    "denied",
  ]);
});
