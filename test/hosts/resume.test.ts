import { afterAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { StopReason } from "../../src/core/reason/index.ts";
import type { Call, Step } from "../../src/testing/index.ts";
import { CLAUDE_CODE } from "./hosts.ts";
import { mainRequests, oks, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// What a person types to continue a run that stopped inside a host with our hooks: each row of the table, in the real Claude Code.
const binary = inject("binaries")["claude-code"];
const host = CLAUDE_CODE;
const list = host.ours("write_todos", { mode: "replace", todos: [{ text: "item 0" }] });
const edit = (action: string, more: object = {}): Call => host.ours("edit_todos", { action, indices: [0], ...more });
const asks: Step = { text: "Which of the two do you mean?" };

interface Situation {
  readonly steps: readonly Step[];
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** Typed into another terminal before the message. */
  readonly first?: readonly (readonly string[])[];
}

const SITUATIONS: Partial<Record<StopReason, Situation>> = {
  held: { steps: [{ calls: [list] }, { calls: [host.shell("SHELL hold")] }, ...oks()], first: [["unhold"]] },
  no_progress: { steps: [{ calls: [list] }, ...oks()] },
  question: { steps: [{ calls: [list] }, asks, asks, asks] },
  blocked: { steps: [{ calls: [list] }, { calls: [edit("block", { reason: "needs the key" })] }, ...oks()] },
  awaiting_release: {
    steps: [
      { calls: [host.ours("write_todos", { mode: "replace", todos: [{ text: "item 0", askFirst: true }] })] },
      ...oks(),
    ],
    first: [["todo", "release", "0"]],
  },
  provider_error: { steps: [{ calls: [list] }, { status: 400, message: "something is wrong" }] },
  host_limit: {
    steps: [{ calls: [list] }, ...oks().map((_, at) => ({ calls: [host.shell(`echo ${at}`)] }))],
    flags: ["--max-turns", "2"],
  },
  budget_continuations: {
    steps: [{ calls: [list] }, ...oks()],
    first: [["extend", "--continuations", "5"]],
  },
  read_only: { steps: [{ calls: [list] }, ...oks()], flags: ["--permission-mode", "plan"] },
  disabled: { steps: [{ calls: [list] }, ...oks()], env: { TILDONE_OFF: "1" } },
};

const rows: string[] = [];
afterAll(() => console.log(["reason | requests | typed", ...rows].join("\n")));

describe.skipIf("skipped" in binary)("Claude Code", () => {
  const stage = useStage("resume");
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.write("home/.config/tildone/config.json", "{}");
    stage.sandbox.tildone("install", host.name);
  });
  const path = "path" in binary ? binary.path : "";

  test.each(Object.keys(SITUATIONS) as StopReason[])("%s", async (reason) => {
    const { steps, env = {}, flags = [], first = [] } = SITUATIONS[reason]!;
    const { sandbox, model } = stage;
    if (reason === "budget_continuations")
      sandbox.write("home/.config/tildone/config.json", '{ "budget": { "continuations": 1 } }');
    const cli = `"${process.execPath}" "${process.cwd()}/bin/tildone.js"`;
    const typed = JSON.parse(JSON.stringify(steps).replaceAll("SHELL", JSON.stringify(cli).slice(1, -1))) as Step[];
    model.play(turns(typed));
    const begun = await host.start(sandbox, path, model.url, { prompt: "do it", env, flags });
    const decision = async () => (await sandbox.runs())[0]?.ledger.decision;
    await expect.poll(decision, { timeout: 20_000 }).toMatchObject({ type: "stop", reason });
    for (const args of first) sandbox.tildone(...args);
    const before = mainRequests(model).length;
    // It begins, and stops early: only a run that continues is told to continue to the end.
    model.play(
      turns([
        { calls: [host.shell("echo 1 >> work.txt")] },
        { text: "I stop here." },
        { calls: [host.shell("echo 2 >> work.txt"), edit("complete")] },
        { text: "done" },
      ]),
    );
    await host.start(sandbox, path, model.url, { prompt: "continue", resume: host.sessionOf(begun.out)! });
    const made = mainRequests(model).length - before;
    rows.push(`${reason} | ${made} | ${[...first.map((args) => `tildone ${args.join(" ")}`), "a message"].join(", ")}`);
    expect(made, sandbox.tildone("log", (await sandbox.runs())[0]!.id)).toBe(4);
    expect((await sandbox.runs())[0]!.plan.todos[0]!.status).toBe("completed");
  });
});
