import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { fileAppears } from "./file-appears.ts";
import { REAL_HOSTS } from "./hosts.ts";
import { isMain, mainRequests, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";
import {
  again,
  badly,
  expectProven,
  layOutProject,
  refusalOfUndo,
  third,
  timesTold,
  undoSecond,
  type Worker,
} from "./undone-project.ts";

// `tildone undo` on the real hosts: the todo is open again, the agent hears of it once and does it again, and the verdict is right.
const stage = useStage("undo");

// Two hook hosts stand for all: what tells the agent is the same code.
describe.each(REAL_HOSTS.filter(({ name }) => ["claude-code", "codex"].includes(name)))("$name", (host) => {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const start = async (prompt: string, resume?: string, env: Readonly<Record<string, string>> = {}) => {
    const asked = { prompt, env, ...(resume !== undefined && { resume }) };
    const { code, out, err } = await host.start(stage.sandbox, binary.path, stage.model.url, asked);
    expect(code, out + err).toBe(0);
    return { session: host.sessionOf(out)!, printed: out + err };
  };
  const worker: Worker = {
    shell: host.shell,
    list: (...completed) =>
      completed.length === 0
        ? host.ours("write_todos", { mode: "replace", todos: texts(3).map((text) => ({ text })) })
        : host.ours("edit_todos", { action: "complete", indices: completed.slice(-1) }),
  };
  const DONE: Step = { text: "Done." };
  /** A server that still starts takes no calls: the model makes the last one again. */
  const play = (...steps: readonly Step[]) => {
    const next = turns(steps);
    let last: Step = DONE;
    stage.model.play((request) => {
      const isRefused = /still connecting/.test(request.messages.at(-1)?.text ?? "");
      if (isMain(request) && !isRefused) last = next(request);
      return isMain(request) ? last : next(request);
    });
  };
  const decision = async () => (await stage.sandbox.runs())[0]?.ledger.decision;
  /** The whole conversation stands in the last request, or as much as the host keeps of it. */
  const expectToldOnce = () => {
    const told = mainRequests(stage.model).map(({ body }) => timesTold(body));
    expect(host.forgetsStops ? Math.max(...told) : told.at(-1)).toBe(1);
  };

  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
    layOutProject(stage.sandbox);
  });

  test("after the run ended: the next prompt tells of it", async () => {
    play(...badly(worker), ...third(worker), DONE);
    const { session } = await start("do it");
    expect(await decision()).toMatchObject({ reason: "all_done" });
    undoSecond(stage.sandbox);
    play(...again(worker, 0, 2), DONE);
    const { printed } = await start("look again", session);
    expectToldOnce();
    await expectProven(stage.sandbox, printed);
  });

  test("at the end of a turn, before the agent is told to continue: it hears of it instead", async () => {
    play(...badly(worker), { text: "I stop here." }, ...again(worker, 0), ...third(worker), DONE);
    const running = start("do it", undefined, { TILDONE_COUNTDOWN: "45s" });
    await expect.poll(decision, { timeout: 120_000 }).toMatchObject({ type: "continue" });
    undoSecond(stage.sandbox);
    const { printed } = await running;
    expectToldOnce();
    await expectProven(stage.sandbox, printed);
  });

  // Codex does not wait for a command that runs long: the turn would not be in its middle.
  test.skipIf(host.name === "codex")("in the middle of a turn it is refused; after hold --now it works", async () => {
    const pause: Step = {
      calls: [
        host.shell("touch paused; for at in $(seq 600); do test -f go && break; sleep 0.2; done; rm -f go paused"),
      ],
    };
    play(...badly(worker), pause, { calls: [host.shell("touch never")] }, DONE);
    const paused = fileAppears(stage.sandbox.project, "paused");
    const running = start("do it");
    await paused;
    expect(refusalOfUndo(stage.sandbox)).toContain("The agent is working on");
    stage.sandbox.tildone("hold", "--now");
    stage.sandbox.write("project/go", "");
    const { session } = await running;
    expect(await decision()).toMatchObject({ reason: "held" });
    undoSecond(stage.sandbox);
    stage.sandbox.tildone("unhold");
    play(...again(worker, 0), ...third(worker), DONE);
    const { printed } = await start("go on", session);
    expectToldOnce();
    await expectProven(stage.sandbox, printed);
  });
});
