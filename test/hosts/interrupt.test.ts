import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { REAL_HOSTS } from "./hosts.ts";
import { hanging, mainRequests, NEVER, oks } from "./script.ts";
import { useStage } from "./stage.ts";
import { hasTmux, useHostTerminal } from "./terminal.ts";

/** Escape in the host's own terminal, at every moment that a turn has. OpenCode, pi and tildone's own terminal have tests of their own. */
const binaries = inject("binaries");
const HOSTS = REAL_HOSTS.filter(({ name }) => "path" in binaries[name]);

describe.skipIf(!hasTmux).each(HOSTS)("escape in $name's terminal", (host) => {
  const stage = useStage("interrupt");
  const terminal = useHostTerminal();
  const list = host.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] });
  const nap: Step = { calls: [host.shell("sleep 5")] }; // a server that still starts has no tools to offer
  const stop: Step = { text: "I stop here." };
  const long: Step = { calls: [host.shell("touch started; sleep 60")] };

  const newest = async () => (await stage.sandbox.runs())[0];
  const decision = async () => (await newest())?.ledger.decision;
  const log = async () => stage.sandbox.tildone("log", (await newest())!.id);
  /** What the model was asked last, each time. */
  const asked = async () =>
    mainRequests(stage.model)
      .map((each) => each.messages.at(-1)?.text.slice(0, 120))
      .join("\n");
  const until = (what: () => unknown) => expect.poll(what, { timeout: 60_000, interval: 200 });
  const isStarted = () => existsSync(join(stage.sandbox.project, "started"));

  async function open(steps: readonly Step[]): Promise<{ readonly asked: Promise<void> }> {
    host.screen.prepare?.(stage.sandbox);
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
    const { script, asked } = hanging([nap, ...steps, ...oks()]);
    stage.model.play(script);
    const binary = binaries[host.name];
    await terminal.open(host, stage.sandbox, "path" in binary ? binary.path : "", stage.model.url, "do it");
    return { asked };
  }

  /** Nothing is sent to the model by itself, and words alone do not make the run continue. */
  async function staysInterrupted(isTold = true): Promise<void> {
    const atOnce = mainRequests(stage.model).length;
    const before = await restsAt();
    expect(before - atOnce, await log()).toBeLessThanOrEqual(host.screen.asksAfterStop ?? 0);
    if (isTold) await until(decision).toMatchObject(INTERRUPTED);
    expect((await newest())!.ledger.nudge).toBeUndefined();
    await terminal.says("hello", () => mainRequests(stage.model).length > before);
    await until(async () => (await decision())?.type).toBe("stop");
    await until(async () => (await newest())?.ledger.turn).toBeUndefined();
    await restsAt();
    expect(await decision(), await log()).toMatchObject(INTERRUPTED);
    expect(mainRequests(stage.model).length, `${await log()}${await asked()}`).toBe(before + 1);
    expect((await newest())!.ledger.nudge).toBeUndefined();
  }
  const TOLD = !host.screen.hidesEsc;
  const INTERRUPTED = { type: "stop", reason: "interrupted" };
  /** How many requests there are when none came for a while: a slow machine may send one late. */
  async function restsAt(): Promise<number> {
    for (let last = -1; ; ) {
      const now = mainRequests(stage.model).length;
      if (now === last || now > MOST) return now;
      last = now;
      await quiet();
    }
  }
  const MOST = 30;
  const quiet = () => new Promise((done) => setTimeout(done, 4000)); // longer than any pause of ours

  test("while the model thinks", async () => {
    const { asked } = await open([{ calls: [list] }, NEVER]);
    await asked;
    await pressEscape();
    await staysInterrupted(TOLD);
  });

  test("while the model thinks after it was told to continue", async () => {
    const { asked } = await open([{ calls: [list] }, stop, NEVER]);
    await asked;
    await pressEscape();
    await staysInterrupted(TOLD);
  });

  test("while the answer streams", async () => {
    await open([{ calls: [list] }, { text: "word after word ", endlessMs: 300 }]);
    await terminal.shows(/word after word/);
    await pressEscape();
    await staysInterrupted(TOLD);
  });

  test("while a tool runs", async () => {
    await open([{ calls: [list] }, long]);
    await until(isStarted).toBe(true);
    await pressEscape();
    await staysInterrupted();
  });

  test("at rest, after the run stopped, it changes nothing", async () => {
    await open([{ calls: [list] }]);
    await until(decision).toMatchObject({ type: "stop", reason: "no_progress" });
    const before = mainRequests(stage.model).length;
    await pressEscape();
    await quiet();
    expect(mainRequests(stage.model).length).toBe(before);
    expect(await decision()).toMatchObject({ reason: "no_progress" });
  });

  /** The screen needs a moment to take the key for what it means. */
  async function pressEscape(): Promise<void> {
    await new Promise((done) => setTimeout(done, 1500));
    terminal.press("Escape");
  }
});
