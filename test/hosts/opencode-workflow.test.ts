import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bash, isMain, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, useOpenCode } from "./opencode-stage.ts";

const WORKFLOW =
  "name: Careful\ncommandName: careful\ninitialMessage: 'Look first: {description}'\nphases: [look.md, act.md]\n";
const LOOK = '---\nid: look\nname: Look\nemoji: 👀\ntools:\n  blacklist: ["@write", "@shell"]\n---\nLook around.\n';
const ACT = "---\nid: act\nname: Act\nemoji: 🔨\n---\nDo it.\n";

describeOpenCode("phases in opencode", () => {
  const { start, command, model, sandbox, run, nudges, mainRequests, toast } = useOpenCode("opencode-workflow");

  test("/workflow begins one; what a phase forbids is refused with the reason, the list never; the run ends with the last phase", async () => {
    for (const [file, content] of Object.entries({ "workflow.yaml": WORKFLOW, "look.md": LOOK, "act.md": ACT }))
      sandbox().write(`home/.config/tildone/workflows/careful/${file}`, content);
    const step = (summary: string) => ["workflow_step", { action: "next", summary }] as const;
    model().play(
      turns([
        { calls: [bash("echo too early > early.txt")] },
        { calls: [["write", { filePath: join(sandbox().project, "early.txt"), content: "x" }]] },
        { calls: [todowrite(1, 0)] },
        { calls: [["list_todos", {}]] },
        { text: "I looked, and stop." },
        { calls: [step("looked")] },
        { calls: [bash("echo in time > work.txt")] },
        { calls: [todowrite(1, 1)] },
        { calls: [step("acted")] },
        { text: "That is all." },
      ]),
    );
    const session = await start();
    await command(session, "workflow", "careful find the bug");
    await toast("Finished, but");

    const asked = model().requests.filter(isMain);
    expect(asked[0]!.messages.at(-1)!.text).toContain("Look first: find the bug");
    const answers = asked
      .map(({ messages }) => messages.at(-1)!)
      .map(({ role, text }) => (role === "tool" ? text : role));
    expect(answers.slice(1, 3)).toEqual([
      expect.stringContaining('"bash" is not available in the phase Look of Careful'),
      expect.stringContaining('"write" is not available in the phase Look of Careful'),
    ]);
    expect(answers[4]).toContain("item number 0");
    expect(asked.at(-1)!.system).not.toContain("Look around.");
    expect(asked[0]!.system).toContain("Look around.");
    expect(existsSync(join(sandbox().project, "early.txt"))).toBe(false);
    expect(existsSync(join(sandbox().project, "work.txt"))).toBe(true);
    expect([nudges() + phaseNudges(), (await run())!.plan.workflow?.status, mainRequests()]).toEqual([
      1,
      "finished",
      10,
    ]);
  });

  test("/workflow without a name says what there is, and the model is not asked", async () => {
    const session = await start();
    await command(session, "workflow");
    await toast("Usage: /workflow");
    await command(session, "workflow", "nonsense do it");
    await toast("nonsense");
    expect(model().requests).toEqual([]);
  });

  /** A nudge speaks of the phase where no todo is open. */
  const phaseNudges = (): number =>
    model().requests.filter((request) => isMain(request) && /^The workflow/.test(request.messages.at(-1)?.text ?? ""))
      .length;
});
