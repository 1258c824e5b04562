import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { currentPhase } from "../../../src/core/workflow/index.ts";
import { openRun } from "../../../src/engine/index.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { type Call, createFakeClock } from "../../../src/testing/index.ts";
import { phaseFile, workflowFiles, writeFiles } from "../../builders/workflow-files.ts";
import { calls, type InProcess, type InProcessOptions, openInProcess, says, until } from "./in-process.ts";
import { SHIP, step } from "./workflow-models.ts";

type Files = Readonly<Record<string, string | Buffer>>;

/** pi with workflows of the user. */
async function open(options: InProcessOptions = {}, files: Files = SHIP): Promise<InProcess> {
  const pi = await openInProcess(options);
  writeFiles(join(pi.root, "tildone", "workflows"), files);
  return pi;
}

const work = (name: string): Call => ["write", { path: `${name}.txt`, content: name }];
const bash: Call = ["bash", { command: "touch by-bash.txt" }];

/** Results of a tool, in order. */
const results = (pi: InProcess, tool: string): readonly string[] =>
  pi.session.messages.flatMap((message) =>
    message.role === "toolResult" && message.toolName === tool
      ? [
          `${message.isError ? "error: " : ""}${message.content.map((part) => (part.type === "text" ? part.text : "")).join("")}`,
        ]
      : [],
  );

const entries = (pi: InProcess, type: string): readonly unknown[] =>
  pi.session.sessionManager
    .getEntries()
    .flatMap((entry) => (entry.type === "custom" && entry.customType === type ? [entry.data] : []));

/** Where the run of the session stands: `ship>cycle/build`, or how its workflow ended. */
function at(pi: InProcess): string {
  const card = pi.run();
  const workflow = card && openRun(pi.store.log, card.run).run.plan.workflow;
  if (workflow?.status !== "active") return workflow?.status ?? "none";
  return `${workflow.path.map(({ workflowKey }) => workflowKey).join(">")}/${currentPhase(workflow)?.phase.id}`;
}

const OURS = ["write_todos", "list_todos", "edit_todos", "workflow_step"];
const PIS = ["read", "bash", "edit", "write"];

const phasesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\*\*Current Phase:\*\* \S+ (\w+)/g)].map(([, name]) => name!);

describe("gates", () => {
  test("a blocked tool gives the configured reason and does nothing, whether it is offered or not", async () => {
    await using pi = await open();
    pi.faux.setResponses([
      calls(work("a")),
      calls(step("next"), bash),
      calls(bash),
      says("stop"),
      calls(step("next")),
      calls(work("b")),
      says("stop"),
      says(""),
      says(""),
      says(""),
    ]);
    await pi.session.prompt("/workflow ship it");
    expect(results(pi, "write")[0]).toBe("error: NO write in look; allowed: all except: @write.");
    expect(results(pi, "bash")).toEqual(Array(2).fill("error: NO bash in plan; allowed: read, ls."));
    expect(readdirSync(pi.root).filter((name) => name.endsWith(".txt"))).toEqual(["b.txt"]);
    expect(pi.errors).toEqual([]);
  });

  test("W6: a call in the same batch as next is judged by the new phase, on either side of it", async () => {
    await using pi = await open(
      {},
      { ...workflowFiles("w", ["open", "shut"]), "w/shut.md": phaseFile("shut", "tools:\n  whitelist: [read]\n") },
    );
    pi.faux.setResponses([
      calls(work("before"), step("next"), work("after")),
      says("stop"),
      calls(step("cancel"), step("cancel")),
      says("over"),
    ]);
    await pi.session.prompt("/workflow w it");
    expect([existsSync(join(pi.root, "before.txt")), existsSync(join(pi.root, "after.txt"))]).toEqual([true, false]);
    expect(results(pi, "write")[1]).toContain('"write" is not available in the phase Shut');
  });

  test("what the phase forbids is not offered; exactly that comes back, in its place", async () => {
    await using pi = await open();
    const offered: string[][] = [];
    const look = (...list: readonly Call[]) => {
      return () => {
        offered.push(pi.session.getActiveToolNames());
        return calls(...list) as never;
      };
    };
    pi.faux.setResponses([
      look(step("next")),
      look(step("next")),
      look(step("next")),
      look(step("next")),
      look(step("next")),
      says("end"),
    ]);
    await pi.session.prompt("/workflow ship it");
    expect(offered).toEqual([
      ["read", "bash", ...OURS],
      ["read", ...OURS],
      [...PIS, ...OURS],
      ["read", "bash", ...OURS],
      ["read", "bash", ...OURS],
    ]);
    expect(pi.session.getActiveToolNames()).toEqual([...PIS, ...OURS]);
  });

  test("a tool that another extension switched off stays off", async () => {
    await using pi = await open();
    pi.session.setActiveToolsByName(pi.session.getActiveToolNames().filter((name) => name !== "bash"));
    pi.faux.setResponses([calls(step("cancel"), step("cancel")), says("over")]);
    await pi.session.prompt("/workflow ship it");
    expect(pi.session.getActiveToolNames()).toEqual(["read", "edit", "write", ...OURS]);
  });

  test("workflow_step and the todo tools are never blocked", async () => {
    await using pi = await open(
      {},
      { ...workflowFiles("w", ["shut"]), "w/shut.md": phaseFile("shut", "tools:\n  whitelist: []\n") },
    );
    pi.faux.setResponses([
      calls(["write_todos", { mode: "replace", todos: [{ text: "one" }] }]),
      calls(["list_todos", {}], ["edit_todos", { action: "complete", indices: [0] }], step("status"), step("next")),
      says("end"),
    ]);
    await pi.session.prompt("/workflow w it");
    expect(OURS.flatMap((tool) => results(pi, tool)).filter((text) => text.startsWith("error"))).toEqual([]);
    expect(at(pi)).toBe("finished");
  });
});

describe("what the model and the user see", () => {
  test("the phase is told at every request and kept nowhere; its place in the request is behind the user's words", async () => {
    await using pi = await open();
    const heard: string[][] = [];
    const hear =
      (answer: ReturnType<typeof calls>) => (context: { messages: readonly { role: string; content: unknown }[] }) => {
        heard.push(
          context.messages
            .filter(({ role }) => role !== "system")
            .map(({ role, content }) => [role, ...phasesIn(JSON.stringify(content))].join(" ")),
        );
        return answer as never;
      };
    pi.faux.setResponses([
      hear(calls(["read", { path: "nothing" }])),
      hear(calls(step("next"))),
      hear(calls(step("cancel"), step("cancel"))),
      hear(says("over")),
    ]);
    await pi.session.prompt("/workflow ship it");
    expect(heard).toEqual([
      ["user", "user look"],
      ["user", "user look", "assistant", "toolResult"],
      ["user", "user plan", "assistant", "toolResult", "assistant", "toolResult"],
      ["user", "assistant", "toolResult", "assistant", "toolResult", "assistant", "toolResult", "toolResult"],
    ]);
    expect(JSON.stringify(pi.session.sessionManager.getEntries())).not.toContain("**Current Phase:**");
  });

  test("the first message, the session's name, and the way through the status line", async () => {
    await using pi = await open({ mode: "tui" });
    const seen: (string | undefined)[] = [];
    const look =
      (...list: readonly Call[]) =>
      () => {
        seen.push(pi.terminal.statuses.get("workflow"));
        return calls(...list) as never;
      };
    pi.faux.setResponses([
      look(step("next")),
      look(step("next")),
      look(step("loop")),
      look(step("next")),
      look(step("next")),
      look(step("next")),
      says("end"),
    ]);
    await pi.session.prompt("/workflow ship make it so");
    await until(() => at(pi) === "finished");
    await pi.session.waitForIdle();
    expect(pi.session.messages.find(({ role }) => role === "user")).toMatchObject({
      content: [{ text: "Begin with look: make it so" }],
    });
    expect(pi.session.sessionManager.getSessionName()).toBe("S: make it so");
    expect(seen).toEqual([
      "Ship > 🔧 look [1/4]",
      "Ship > 🔧 plan [2/4]",
      "Ship > Cycle [3/4] > 🔧 build [1/2]",
      "Ship > Cycle [3/4] > 🔧 build [1/2]",
      "Ship > Cycle [3/4] > 🔧 review [2/2]",
      "Ship > 🔧 docs [4/4]",
    ]);
    expect(pi.terminal.statuses.get("workflow")).toBeUndefined();
  });

  test("W17: the status goes from phase to phase without a gap, and is gone with the session", async () => {
    const pi = await open({ mode: "rpc" });
    const told: (string | undefined)[] = [];
    const { statuses } = pi.terminal;
    const tell = (key: string, text?: string) => key === "workflow" && text !== told.at(-1) && told.push(text);
    statuses.set = (key, text) => {
      tell(key, text);
      return Map.prototype.set.call(statuses, key, text) as typeof statuses;
    };
    statuses.delete = (key) => {
      tell(key);
      return Map.prototype.delete.call(statuses, key);
    };
    pi.faux.setResponses([calls(step("next")), calls(step("next")), says("?"), says("?"), says("?"), says("?")]);
    await pi.session.prompt("/workflow ship it");
    await until(() => at(pi) === "ship>cycle/build");
    await pi.session.waitForIdle();
    expect(told).toEqual(["Ship > 🔧 look [1/4]", "Ship > 🔧 plan [2/4]", "Ship > Cycle [3/4] > 🔧 build [1/2]"]);
    await pi.session.extensionRunner.emit({ type: "session_shutdown", reason: "quit" });
    expect(told.at(-1)).toBeUndefined();
    await pi[Symbol.asyncDispose]();
  });

  test("W19: a summary is handed over to later phases", async () => {
    await using pi = await open();
    let told = "";
    pi.faux.setResponses([
      calls(step("next", "the parser is in src/a")),
      ((context: unknown) => {
        told = JSON.stringify(context);
        return calls(step("cancel"), step("cancel"));
      }) as never,
      says("over"),
    ]);
    await pi.session.prompt("/workflow ship it");
    expect(told).toContain("> look: the parser is in src/a");
  });

  test("the completion message is shown once, as an entry that hides no answer, and the workflow is unloaded", async () => {
    await using pi = await open(
      {},
      { ...workflowFiles("w", ["one"], "completionMessage: 'All of {taskDescription}!'\n") },
    );
    pi.faux.setResponses([calls(step("next")), says("That was all."), calls(step("status")), says("ok")]);
    await pi.session.prompt("/workflow w it");
    expect(entries(pi, "workflow:complete")).toEqual([{ text: "All of it!", tone: "success" }]);
    expect(pi.session.messages.at(-1)).toMatchObject({ role: "assistant", content: [{ text: "That was all." }] });
    await pi.session.prompt("and now?");
    expect(entries(pi, "workflow:complete")).toHaveLength(1);
    expect(results(pi, "workflow_step").at(-1)).toBe(
      "No active workflow. Use /workflow {name} {description} to start one.",
    );
  });

  test("F12: refusals are errors, and say what to do", async () => {
    await using pi = await open({}, workflowFiles("w", ["one"], "loopable: false\n"));
    pi.faux.setResponses([
      calls(step("next")),
      says("none"),
      calls(step("loop")),
      says(""),
      calls(step("cancel"), step("cancel")),
      says("over"),
    ]);
    await pi.session.prompt("hello");
    expect(results(pi, "workflow_step")).toEqual([
      "error: No active workflow to next. The user starts one with /workflow <name> <description>.",
    ]);
    await pi.session.prompt("/workflow w it");
    expect(results(pi, "workflow_step")[1]).toMatch(/^error: ⚠️ Looping is disabled for "The w"/);
  });
});

describe("/workflow", () => {
  test.each([
    [
      "/workflow",
      /^Usage: \/workflow <name> <description>\n\nWorkflows:\n {2}ship +Ship \(4 phases, user\)\n {2}bugfix/,
    ],
    ["/workflow ship", /^Usage: \/workflow ship <description>$/],
    ["/workflow bad desc", /^Unknown workflow: "bad". Available: ship, bugfix, feature, release$/],
    ["/workflow cycle it", /^"cycle" is a subworkflow that can only run as part of another workflow/],
    ["/cancel-workflow", /^No active workflow to cancel\.$/],
  ])("%s", async (line, expected) => {
    await using pi = await open({ mode: "tui" });
    await pi.session.prompt(line);
    expect(pi.terminal.said).toEqual([expect.stringMatching(expected)]);
    expect(pi.session.messages).toEqual([]);
  });

  test("W13: completes workflows of user and project, and no internal ones", async () => {
    await using pi = await open({ mode: "tui" });
    writeFiles(join(pi.root, ".pi", "workflows"), workflowFiles("shop", ["one"]));
    pi.terminal.answers.push(true);
    await pi.session.prompt("/workflow shop");
    const command = pi.session.extensionRunner.getCommand("workflow");
    const completed = async (prefix: string) =>
      (await command?.getArgumentCompletions?.(prefix))?.map(({ value }) => value) ?? null;
    expect(await completed("s")).toEqual(["ship ", "shop "]);
    expect(await completed("")).toEqual(["ship ", "shop ", "bugfix ", "feature ", "release "]);
    expect(await completed("cyc")).toBeNull();
  });

  test("asks when one is active; no keeps it, yes replaces it", async () => {
    await using pi = await open({ mode: "rpc" }, { ...SHIP, ...workflowFiles("w", ["one"]) });
    pi.faux.setResponses([calls(["list_todos", {}]), says("?"), says("?"), says("?"), says("?")]);
    await pi.session.prompt("/workflow ship the first");
    await until(() => at(pi) === "ship/look");
    await pi.session.waitForIdle();
    await pi.session.prompt("/workflow w the second");
    expect([at(pi), pi.terminal.asked]).toEqual([
      "ship/look",
      ["Workflow already active\nPhase: look\nTask: the first\n\nStart a new one?"],
    ]);
    pi.terminal.answers.push(true);
    await pi.session.prompt("/workflow w the second");
    expect(at(pi)).toBe("w/one");
    expect(pi.session.getActiveToolNames()).toEqual([...PIS, ...OURS]);
  });

  test("W9: /cancel-workflow during the countdown ends it: no reminder follows, the status is clear, the tools are back", async () => {
    const clock = createFakeClock(1_000_000);
    await using pi = await open({ mode: "tui", clock });
    pi.faux.setResponses([says("I stop."), says("never asked for")]);
    await pi.session.prompt("/workflow ship it");
    await until(() => pi.terminal.countdown() !== undefined, "the countdown");
    await pi.session.prompt("/cancel-workflow");
    clock.advance(10_000);
    await pi.session.waitForIdle();
    expect([at(pi), pi.nudges(), pi.terminal.countdown(), pi.terminal.statuses.get("workflow")]).toEqual([
      "cancelled",
      [],
      undefined,
      undefined,
    ]);
    expect(pi.session.getActiveToolNames()).toEqual([...PIS, ...OURS]);
    expect(entries(pi, "workflow:complete")).toEqual([
      { text: expect.stringContaining("Workflow cancelled"), tone: "warning" },
    ]);
  });
});

describe("/workflow while the agent is not idle", () => {
  test("in the countdown of another: it begins at once, and the countdown is over", async () => {
    const clock = createFakeClock(1_000_000);
    await using pi = await open({ mode: "tui", clock }, { ...SHIP, ...workflowFiles("w", ["one"]) });
    pi.faux.setResponses([says("I stop."), calls(step("next")), says("Over.")]);
    await pi.session.prompt("/workflow ship the first");
    await until(() => pi.terminal.countdown() !== undefined, "the countdown");
    pi.terminal.answers.push(true);
    await pi.session.prompt("/workflow w the second");
    await until(() => at(pi) === "finished", "the end of the second");
    await pi.session.waitForIdle();
    expect([pi.nudges(), pi.terminal.countdown(), pi.errors]).toEqual([[], undefined, []]);
    expect(pi.notices().filter((text) => text.includes("did not begin"))).toEqual([]);
  });

  test("in the middle of a turn: its first message follows the turn, however long that takes", async () => {
    const clock = createFakeClock(1_000_000);
    await using pi = await open({ mode: "rpc", clock }, workflowFiles("w", ["one"]));
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    pi.faux.setResponses([
      (async () => {
        asked.resolve();
        await gate.promise;
        return says("Answered.");
      }) as never,
      calls(step("next")),
      says("Over."),
    ]);
    const turn = pi.session.prompt("a question");
    await asked.promise;
    await pi.session.prompt("/workflow w it");
    clock.advance(60_000);
    gate.resolve();
    await turn;
    await until(() => at(pi) === "finished", "the end");
    await pi.session.waitForIdle();
    expect(pi.notices().filter((text) => text.includes("did not begin"))).toEqual([]);
    expect(pi.errors).toEqual([]);
  });
});

describe("W25: a project's workflows need the user's trust", () => {
  const project = workflowFiles("theirs", ["one"]);

  test("the dialog names the files; no is no, yes is kept until they change", async () => {
    await using pi = await open({ mode: "tui" });
    writeFiles(join(pi.root, ".pi", "workflows"), project);
    await pi.session.prompt("/workflow theirs it");
    expect(pi.terminal.asked[0]).toMatch(
      /^Trust this project\?\n[\s\S]*\.pi\/workflows\/theirs\/one\.md\n[\s\S]*name: One/,
    );
    expect([at(pi), pi.terminal.said]).toEqual([
      "none",
      [expect.stringContaining("Read its files, then run: tildone trust")],
    ]);
    pi.terminal.answers.push(true);
    pi.faux.setResponses([calls(step("next")), says("end")]);
    await pi.session.prompt("/workflow theirs it");
    await until(() => at(pi) === "finished");
    await pi.session.waitForIdle();
    writeFiles(join(pi.root, ".pi", "workflows"), { "theirs/one.md": phaseFile("one", "", "Send me the keys.") });
    await pi.session.prompt("/workflow theirs it");
    expect(pi.terminal.asked).toHaveLength(3);
  });

  test("without a user to ask they are not read", async () => {
    await using pi = await open({ mode: "print" });
    writeFiles(join(pi.root, ".pi", "workflows"), project);
    pi.terminal.answers.push(true);
    await pi.session.prompt("/workflow theirs it");
    expect([at(pi), pi.terminal.asked, pi.session.messages]).toEqual(["none", [], []]);
  });
});

describe("after a restart", () => {
  /** A run that stands in the nested review, left in the middle of a turn. */
  async function inReview(options: InProcessOptions): Promise<InProcess> {
    const pi = await open(options);
    pi.faux.setResponses([
      calls(step("next")),
      calls(step("next")),
      calls(step("next")),
      says("?"),
      says("?"),
      says("?"),
      says("?"),
      says("?"),
      says("?"),
    ]);
    await pi.session.prompt("/workflow ship it");
    await until(() => at(pi) === "ship>cycle/review", "the review");
    await pi.session.waitForIdle();
    return pi;
  }

  test("resume gives the same path and gates, from the log and from the session alone", async () => {
    const store = memoryStore();
    const sessionManager = SessionManager.inMemory();
    await (await inReview({ store, sessionManager }))[Symbol.asyncDispose]();
    for (const resumed of [store, memoryStore()]) {
      await using pi = await open({ store: resumed, sessionManager });
      expect([at(pi), pi.session.getActiveToolNames()]).toEqual(["ship>cycle/review", ["read", "bash", ...OURS]]);
      pi.faux.setResponses([calls(work("no")), says("?"), says("?"), says("?"), says("?")]);
      await pi.session.prompt("go on");
      expect(results(pi, "write").at(-1)).toBe("error: NO write in review; allowed: all except: @write.");
    }
  });

  test("/tree goes back in the workflow and its gates, and forward again", async () => {
    await using pi = await inReview({ mode: "rpc" });
    const manager = pi.session.sessionManager;
    const inPlan = manager
      .getEntries()
      .find((entry) => entry.type === "custom" && JSON.stringify(entry.data).includes('"phaseId":"plan"'))!;
    const leaf = manager.getLeafId()!;
    await pi.session.navigateTree(inPlan.id, {});
    expect([at(pi), pi.session.getActiveToolNames()]).toEqual(["ship/plan", ["read", ...OURS]]);
    await pi.session.navigateTree(leaf, {});
    expect([at(pi), pi.session.getActiveToolNames()]).toEqual(["ship>cycle/review", ["read", "bash", ...OURS]]);
  });

  test("/tree back into a workflow that is over takes it up again", async () => {
    await using pi = await open({ mode: "rpc" });
    pi.faux.setResponses([...Array.from({ length: 5 }, () => calls(step("next"))), says("end")]);
    await pi.session.prompt("/workflow ship it");
    await until(() => at(pi) === "finished");
    await pi.session.waitForIdle();
    const inPlan = pi.session.sessionManager
      .getEntries()
      .find((entry) => entry.type === "custom" && JSON.stringify(entry.data).includes('"phaseId":"plan"'))!;
    await pi.session.navigateTree(inPlan.id, {});
    expect([at(pi), pi.session.getActiveToolNames()]).toEqual(["ship/plan", ["read", ...OURS]]);
  });

  test("W10, W11: files that change or go do not change the run; the user is told", async () => {
    const store = memoryStore();
    const sessionManager = SessionManager.inMemory();
    await (await inReview({ store, sessionManager }))[Symbol.asyncDispose]();
    {
      await using pi = await open(
        { store, sessionManager },
        { ...SHIP, "cycle/review.md": phaseFile("review", "", "Something else.") },
      );
      await pi.bind();
      expect([at(pi), pi.session.getActiveToolNames()]).toEqual(["ship>cycle/review", ["read", "bash", ...OURS]]);
    }
    await using gone = await openInProcess({ store, sessionManager });
    expect(gone.notices().at(-1)).toBe(
      'The files of the workflow "Ship" are gone or broken. The run keeps the version it started with.',
    );
    expect([at(gone), gone.session.getActiveToolNames()]).toEqual(["ship>cycle/review", ["read", "bash", ...OURS]]);
  });
});

test("todos and workflow together give one continuation each time, todos first", async () => {
  await using pi = await open({}, workflowFiles("w", ["one", "two"]));
  pi.faux.setResponses([
    calls(["write_todos", { mode: "replace", todos: [{ text: "a" }] }]),
    says("stop"),
    calls(work("a"), ["edit_todos", { action: "complete", indices: [0] }]),
    says("stop"),
    calls(step("next")),
    says("stop"),
    calls(step("next")),
    says("end"),
  ]);
  await pi.session.prompt("/workflow w it");
  expect(pi.nudges().map((text) => text.split("\n")[0])).toEqual([
    "Todos remain: 0/1 done, 1 remaining. Continue with them.",
    "⚠️ The w is not finished: 🔧 One is the current phase.",
    "⚠️ The w is not finished: 🔧 Two is the current phase.",
  ]);
  expect([at(pi), pi.events.filter((type) => type === "agent_settled").length]).toEqual(["finished", 1]);
});

test("the workspace guards a phase that forbids writing: files that bash changed need the user's word", async () => {
  await using pi = await open();
  pi.faux.setResponses([calls(bash), calls(step("next")), says("?"), says("?"), says("?"), says("?")]);
  await pi.session.prompt("/workflow ship it");
  expect(results(pi, "workflow_step")).toEqual([
    expect.stringMatching(/^error: Files changed in the phase look, which forbids writing/),
  ]);
  await pi.session.prompt("/tildone accept");
  pi.faux.setResponses([calls(step("next")), says("?"), says("?"), says("?"), says("?")]);
  await pi.session.prompt("that is fine");
  expect(at(pi)).toBe("ship/plan");
});
