import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Run } from "../../../src/core/run/index.ts";
import { currentPhase, gate } from "../../../src/core/workflow/index.ts";
import { openRun } from "../../../src/engine/index.ts";
import { openStore } from "../../../src/store/index.ts";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { workflowFiles, writeFiles } from "../../builders/workflow-files.ts";
import { count, isType, openRpc, type RpcEvent } from "./rpc.ts";
import { openSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import { openTerminal } from "./terminal.ts";
import { FIVE, phaseIn, SHIP, sentOnBy, step, walksThrough } from "./workflow-models.ts";

/** Real pi, with workflows where the older implementation keeps them. */
async function open(options: SandboxOptions): Promise<Sandbox> {
  const box = await openSandbox(options);
  writeFiles(join(box.env.PI_CODING_AGENT_DIR!, "workflows"), { ...FIVE, ...SHIP, ...workflowFiles("w", ["one"]) });
  return box;
}

async function lastRun(box: Sandbox): Promise<Run> {
  const store = await openStore({ path: box.store });
  const [card] = store.runs.list();
  const { run } = openRun(store.log, card!.run);
  store.close();
  return run;
}

const WALK = ["phase build", "phase review", "phase build", "phase review", "phase docs", "phase close"];

describe.each([
  ["without a list", 0, WALK],
  ["with a list", 2, ["todo 0", "todo 1", "phase open", ...WALK]],
])("five phases, a subworkflow and a loop, %s", (_name, items, sentOn) => {
  const script = () => walksThrough({ items });

  test("print", async () => {
    await using box = await open({ script: script() });
    const { code, out, err } = await box.run("-p", "/workflow five make it so");
    expect([code, out]).toEqual([0, "That is done, I stop here.\n"]);
    expect(err.split("\n").slice(0, 2)).toEqual([
      "tildone: All five: make it so.",
      expect.stringContaining("Finished, but"),
    ]);
    expectTheWalk(box);
  });

  test("json", async () => {
    await using box = await open({ script: script() });
    const { code, out } = await box.run("--mode", "json", "/workflow five make it so");
    const events = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as RpcEvent]));
    expect([code, count(events, "agent_settled")]).toEqual([0, 1]);
    expectTheWalk(box);
  });

  test("rpc", async () => {
    await using box = await open({ script: script() });
    const rpc = openRpc(box);
    rpc.send({ type: "prompt", message: "/workflow five make it so" });
    await rpc.next(isType("agent_settled"));
    expectTheWalk(box);
    expect(statuses(rpc.events)).toContain("Five > Cycle [2/4] > 🔧 review [2/2]");
    expect(statuses(rpc.events).at(-1)).toBeUndefined();
    expect(await rpc.close()).toBe(0);
    expect([count(rpc.events, "agent_settled"), count(rpc.events, "extension_error")]).toEqual([1, 0]);
  });

  test("terminal", async () => {
    await using box = await open({ script: script(), flags: ["--til-done-countdown", "200ms"] });
    using terminal = openTerminal(box, "/workflow five make it so");
    await terminal.shows(/Five > Cycle \[2\/4\] > 🔧 review \[2\/2\]/);
    const screen = await terminal.shows(/All five: make it so\./);
    expect(screen).toContain("✓ Advanced: close → DONE");
    await terminal.hides(/Five > /);
    await terminal.shows(/Finished, but/);
    expectTheWalk(box);
  });

  function expectTheWalk(box: Sandbox): void {
    expect(sentOnBy(box.model.requests)).toEqual(sentOn);
    expect(readdirSync(box.cwd)).toHaveLength(3 + items);
  }
});

const statuses = (events: readonly RpcEvent[]): readonly unknown[] =>
  events.flatMap(({ method, statusKey, statusText }) =>
    method === "setStatus" && statusKey === "workflow" ? [statusText] : [],
  );

describe("killed inside a nested subworkflow", () => {
  /** The next request in the nested review never gets an answer. */
  const diesInReview = (request: ModelRequest): Step => {
    if (phaseIn(request) === "review") return { after: new Promise(() => {}) };
    return { calls: [step("next")] };
  };

  async function killed(): Promise<Sandbox> {
    const box = await open({ script: diesInReview, keepsSession: true });
    const child = box.start("-p", "/workflow ship make it so");
    await box.model.received(4);
    child.kill("SIGKILL");
    await new Promise((gone) => child.on("exit", gone));
    return box;
  }

  test("the same path, the same gates, and it continues from there to the end", async () => {
    await using box = await killed();
    const before = await lastRun(box);
    expect(place(before)).toBe("ship>cycle/review");
    box.model.play((request) => {
      if (phaseIn(request) === undefined) return { text: "All done." };
      const isFirst = request.messages.at(-1)?.role !== "tool";
      return { calls: [isFirst ? ["write", { path: "no.txt", content: "" }] : step("next")] };
    });
    const { code } = await box.run("-c", "-p", "go on");
    const refusal = box.model.requests
      .flatMap(({ messages }) => messages)
      .find(({ role, text }) => role === "tool" && text.startsWith("NO "));
    expect([code, refusal?.text]).toEqual([0, "NO write in review; allowed: all except: @write."]);
    const after = await lastRun(box);
    expect([after.id, after.plan.workflow?.status, readdirSync(box.cwd)]).toEqual([before.id, "finished", []]);
  });

  test("a fork begins a run of its own at the same place", async () => {
    await using box = await killed();
    const parent = await lastRun(box);
    box.model.play([{ text: "I look around." }]);
    const rpc = openRpc(box, "-c");
    rpc.send({ type: "get_fork_messages", id: "m" });
    const { data } = (await rpc.next((event) => event.type === "response" && event.id === "m")) as unknown as {
      data: { messages: { entryId: string }[] };
    };
    rpc.send({ type: "clone", id: "c" });
    await rpc.next((event) => event.type === "response" && event.id === "c");
    rpc.send({ type: "prompt", message: "/workflow" });
    await rpc.next((event) => event.type === "response" && event.command === "prompt");
    await rpc.close();
    expect(data.messages.length).toBeGreaterThan(0);
    const fork = await lastRun(box);
    expect([fork.origin.parent, place(fork)]).toEqual([parent.id, "ship>cycle/review"]);
    expect(gate(fork.plan.workflow, "write", ["@write"])).toEqual(gate(parent.plan.workflow, "write", ["@write"]));
  });
});

test("W23: without a terminal an active workflow is kept, and said so; --replace or a flag puts the new one in its place", async () => {
  await using box = await open({ script: [{ text: "I stop." }], keepsSession: true });
  await box.run("-p", "/workflow ship the first");
  const refused = await box.run("-c", "-p", "/workflow w the second");
  expect(refused.err).toContain('A workflow is already active: "the first". Cancel it first');
  expect(place(await lastRun(box))).toBe("ship/look");
  await box.run("-c", "--til-done-replace-workflow", "-p", "/workflow w the second");
  expect(place(await lastRun(box))).toBe("w/one");
  await box.run("-c", "-p", "/workflow --replace ship the third");
  expect(place(await lastRun(box))).toBe("ship/look");
});

test("W8, F9: a workflow that begins a session has its system prompt", async () => {
  await using box = await open({ script: [{ calls: [step("next")] }, { text: "Done." }] });
  const { code, out } = await box.run("-p", "/workflow w it");
  expect([code, out]).toEqual([0, "Done.\n"]);
  expect(box.model.requests[0]?.system.length).toBeGreaterThan(100);
});

function place({ plan: { workflow } }: Run): string {
  return `${workflow?.path.map(({ workflowKey }) => workflowKey).join(">")}/${currentPhase(workflow)?.phase.id}`;
}
