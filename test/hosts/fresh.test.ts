import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { type BinaryName, programsOf } from "./binaries.ts";
import { type RealHost, realHost } from "./hosts.ts";
import { bash, setUpOpenCode, todowrite } from "./opencode.ts";
import { lastList, nativeTools } from "./opencode-list.ts";
import { personaSuite } from "./persona-suite.ts";
import { runSupervised, type Supervised } from "./run-supervised.ts";
import { isMain, mainRequests, textOf, texts } from "./script.ts";
import { useStage } from "./stage.ts";

// `tildone run --host … --fresh`: each todo in a new session of the real host. Gemini CLI and pi need no new session for it.
const stage = useStage("fresh");

interface Fresh extends Supervised, Pick<RealHost, "shell"> {
  list(count: number): Step;
  completes(at: number): Step;
  setUp(): void;
  env(): Readonly<Record<string, string>>;
  /** The host's own list has no room for a note. */
  readonly takesNotes: boolean;
}

function ofHooks(host: RealHost): Fresh {
  return {
    ...host,
    folder: programsOf(host.name),
    takesNotes: true,
    list: (count) => ({
      calls: [host.ours("write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) })],
    }),
    completes: (at) => ({
      calls: [host.ours("edit_todos", { action: "complete", indices: [at], note: `learned ${at}` })],
    }),
    setUp: () => {
      host.configure(stage.sandbox, stage.model.url);
      stage.sandbox.tildone("install", host.name);
    },
    env: () => host.env(stage.sandbox, stage.model.url),
  };
}

const OPENCODE = (path: string): Fresh => ({
  name: "opencode",
  folder: programsOf("opencode"),
  unasked: [],
  takesNotes: false,
  shell: bash,
  list: (count) => ({ calls: [todowrite(count, 0)] }),
  // A new session has an empty list of its own, and the model writes there what it works on. In the first one it knows them all.
  completes: (at) => ({
    calls: [
      at === 0
        ? todowrite(3, 1)
        : ["todowrite", { todos: [{ content: texts(at + 1)[at], status: "completed", priority: "medium" }] }],
    ],
  }),
  setUp: () => {},
  env: () => setUpOpenCode(stage.sandbox, path, { url: stage.model.url }).env,
});

const HOSTS: readonly BinaryName[] = ["codex", "qwen", "claude-code", "opencode"];

describe.each(HOSTS)("%s", async (name) => {
  const binary = inject("binaries")[name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const real = name === "opencode" ? undefined : await realHost(name);
  const host = real ? ofHooks(real) : OPENCODE(binary.path);
  beforeEach(() => host.setUp());
  const work = (at: number): Step => ({ calls: [host.shell(`echo ${at} > ${at}.txt`)] });

  test("everything but the conversation stays: list, check, budget, notes and your message", async () => {
    const { sandbox, model } = stage;
    const steps: (() => Step)[] = [
      () => host.list(3),
      () => work(0),
      () => host.completes(0),
      () => ({ text: "I stop here." }), // it heard that its turn is over
      () => work(1),
      () => {
        sandbox.tildone("say", "use tabs"); // from another terminal
        return host.completes(1);
      },
      () => ({ text: "I stop here." }),
      () => work(2),
      () => host.completes(2),
    ];
    model.play((request) => {
      if (!isMain(request)) return { text: "An aside" };
      const { role, text } = request.messages.at(-1)!;
      if (role === "user" && text.includes("use tabs")) return { text: "Noted." };
      return steps.shift()?.() ?? { text: "All done." };
    });
    const flags = ["--fresh", "--check", "test -f 2.txt", "--max-minutes", "40"];
    const { code, out, err } = await runSupervised(sandbox, host, host.env(), flags);
    const runs = await sandbox.runs();
    const log = sandbox.tildone("log", runs[0]!.id);
    expect(code, out + err + log).toBe(0);
    expect(runs).toHaveLength(1);
    const { plan, ledger } = runs[0]!;
    expect(plan.todos.map(({ text, status }) => `${text} ${status}`).sort()).toEqual(
      texts(3).map((text) => `${text} completed`),
    );
    expect(ledger.decision).toMatchObject({ type: "stop", reason: "all_done" });
    expect([ledger.conversation.number, ledger.budget.minutes, ledger.words]).toEqual([3, 40, []]);
    expect(log.match(/turn \S+ began \(nudge\)/g), log).toHaveLength(2);
    const asked = mainRequests(model).map(textOf);
    const [second, third] = [1, 2].map((done) =>
      asked.filter((text) => new RegExp(`A new conversation continues this run.*${done}/3 done`).test(text)),
    );
    expect(asked[3]).toContain("End your turn now, before you work on the next todo");
    expect(second!.length).toBeGreaterThanOrEqual(3);
    expect(second!.some((text) => text.includes("use tabs"))).toBe(true);
    if (host.takesNotes) expect(second![0]).toContain("[0] learned 0");
    expect(third).toHaveLength(3);
    expect(third!.join()).not.toMatch(/use tabs|I stop here/);
    expect(sandbox.tildone("why", runs[0]!.id).replace(/\s+/g, " ")).toContain("`context` is `fresh`");
  });

  personaSuite({
    // One that stops early, and two that are not honest.
    played: ["stops after each todo", "marks everything done without work", "edits the test instead of the code"],
    sandbox: () => stage.sandbox,
    model: () => stage.model,
    shell: host.shell,
    tools: () => (real ? ({ tool, input }) => real.ours(tool, input) : nativeTools()),
    ...(!real && { merge: lastList }),
    settings: { continuation: { context: "fresh" } },
    play: async () => {
      const { out, err } = await runSupervised(stage.sandbox, host, host.env());
      return out + err;
    },
  });
});
