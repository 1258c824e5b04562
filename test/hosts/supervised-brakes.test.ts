import { resolve } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";
import type { ModelRequest, Step } from "../../src/testing/index.ts";
import { programsOf } from "./binaries.ts";
import { REAL_HOSTS } from "./hosts.ts";
import { runSupervised } from "./run-supervised.ts";
import { isMain, mainRequests, NEVER, texts } from "./script.ts";
import { useStage } from "./stage.ts";

// What hooks cannot end, `tildone run --host` ends: a turn of Codex, and a model that says nothing.
const stage = useStage("supervised-brakes");

describe.each(REAL_HOSTS)("$name", (host) => {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const list = host.ours("write_todos", { mode: "replace", todos: texts(1).map((text) => ({ text })) });
  const play = (then: (count: number) => Step) => {
    let count = 0;
    stage.model.play((request: ModelRequest): Step => {
      if (!isMain(request)) return { text: "<summary>what was said</summary>" };
      if (!JSON.stringify(request.body).includes("Wrote 1")) return { calls: [list] };
      return ++count > 60 ? { text: "I give up." } : then(count);
    });
  };
  const supervise = (...flags: string[]) =>
    runSupervised(
      stage.sandbox,
      { ...host, folder: programsOf(host.name) },
      host.env(stage.sandbox, stage.model.url),
      flags,
    );
  const newest = async () => (await stage.sandbox.runs())[0]!;
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
  });

  test("two calls in turn, again and again: ended, and the exit code says so", async () => {
    stage.sandbox.write("home/.config/tildone/config.yaml", "turn:\n  answersWithoutActivity: 6\n");
    play((count) => ({ calls: [host.shell(`echo ${count % 2}`)] }));
    const { code, out, err } = await supervise();
    const { ledger } = await newest();
    expect(ledger.decision, out + err).toMatchObject({ type: "stop", reason: "no_progress" });
    expect(ledger.interrupt).toBeUndefined();
    expect(code).toBe(3);
    expect(mainRequests(stage.model).length).toBeLessThan(40);
  });

  test("the same calls, and no list at all: ended", async () => {
    stage.sandbox.write("home/.config/tildone/config.yaml", "turn:\n  answersWithoutActivity: 6\n");
    let count = 0;
    stage.model.play((request: ModelRequest): Step => {
      if (!isMain(request)) return { text: "<summary>what was said</summary>" };
      return ++count > 60 ? { text: "I give up." } : { calls: [host.shell(`echo ${count % 2}`)] };
    });
    const { code, out, err } = await supervise();
    expect((await newest()).ledger.decision, out + err).toMatchObject({ type: "stop", reason: "no_progress" });
    expect(code).toBe(3);
    expect(mainRequests(stage.model).length).toBeLessThan(40);
  });

  test("a silent model, and minutes that are spent meanwhile: ended", async () => {
    play(() => NEVER);
    const { code, out, err } = await supervise("--max-minutes", "0.2");
    const { ledger } = await newest();
    expect(ledger.decision, out + err).toMatchObject({ type: "stop", reason: "budget_minutes" });
    expect(ledger.interrupt).toBeUndefined();
    expect(code).toBe(4);
  });

  test("tokens that are spent inside a turn end it, and what was spent is recorded", async () => {
    play((count) => ({ calls: [host.shell(`echo ${count}`)], usage: { input: 1000, output: 10 } }));
    const { code, out, err } = await supervise("--max-tokens", "5000");
    const { ledger } = await newest();
    expect(ledger.decision, out + err).toMatchObject({ type: "stop", reason: "budget_tokens" });
    expect(ledger.interrupt).toBeUndefined();
    expect(code).toBe(4);
    expect(mainRequests(stage.model).length).toBeLessThan(16);
    expect(ledger.spent.input + ledger.spent.output).toBeGreaterThanOrEqual(5000);
  });

  test("a budget of money is kept, or refused by name", async () => {
    play((count) => ({ calls: [host.shell(`echo ${count}`)], usage: { input: 100_000, output: 10 } }));
    const { code, out, err } = await supervise("--max-cost", "1");
    if (HOOK_PROFILES[host.name].process.spend?.sees !== "tokens and cost") {
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/--max-cost cannot be enforced in .*: it does not report/),
      ]);
      expect(stage.model.requests.length).toBe(0);
      return;
    }
    const { ledger } = await newest();
    expect(ledger.decision, out + err).toMatchObject({ type: "stop", reason: "budget_cost" });
    expect([code, ledger.spent.cost > 0.9 && ledger.spent.cost < 3]).toEqual([4, true]);
    expect(mainRequests(stage.model).length).toBeLessThan(8);
    const before = mainRequests(stage.model).length;
    stage.model.play(() => ({ text: "I stop here.", usage: { input: 100, output: 10 } }));
    const [, command = ""] = /Continue with: tildone (.*)$/m.exec(out) ?? [];
    expect(command).toMatch(new RegExp(`^run --resume \\S+ --host ${host.name} --max-cost [\\d.]+$`));
    await stage.sandbox.run(process.execPath, [resolve("bin/tildone.js"), ...command.split(" ")], {
      ...host.env(stage.sandbox, stage.model.url),
      PATH: `${programsOf(host.name)}:${stage.sandbox.env.PATH}`,
    });
    expect(mainRequests(stage.model).length).toBeGreaterThan(before);
    expect((await newest()).ledger.decision).not.toMatchObject({ reason: "budget_cost" });
  });
});
