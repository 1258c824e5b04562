import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Call, ModelRequest, Step } from "../../src/testing/index.ts";
import { bash, isMain, todowrite } from "./opencode.ts";
import { describeOpenCode, openCodePath, QUICK, useOpenCode } from "./opencode-stage.ts";

const USAGE = { input: 900, output: 100 };
const NEVER = new Promise<never>(() => {});

/** Models that write their list and then never come to an end. */
const RUNAWAYS: Readonly<Record<string, (count: number) => Step>> = {
  "the same call": () => ({ calls: [bash("echo same")] }),
  "new reads": (count) => ({ calls: [bash(`echo ${count}`)] }),
  /** A quick machine would be through with all its requests before the time is over. */
  "slow reads": (count) => ({ after: setTimeout(500), calls: [bash(`echo ${count}`)] }),
  "alternating calls": (count) => ({ calls: [bash(`echo ${count % 2}`)] }),
  "an endless stream": () => ({ text: "and so on, ", endlessMs: 20 }),
  silence: () => ({ after: NEVER }),
};
const MINUTES = "budget:\n  minutes: 0.15\n";
const TOKENS = "budget:\n  tokens: 10000\n";

// A limit ends the turn inside OpenCode: within the limit plus one request, whatever the model does.
describeOpenCode("opencode run", () => {
  const { setUp, model, sandbox, run, mainRequests } = useOpenCode("opencode-brakes");

  const play = (name: string, held?: () => void, before = 0) => {
    let count = before;
    model().play((request: ModelRequest): Step => {
      if (!isMain(request)) return { text: "A title" };
      if (++count === 1) return { calls: [todowrite(1, 0)], usage: USAGE };
      if (count === 4 && held) held();
      return { usage: USAGE, ...(count > 60 ? { text: "I give up." } : RUNAWAYS[name]!(count)) };
    });
  };

  test.each([
    ["the same call", "", "no_progress", 10],
    ["alternating calls", "turn:\n  answersWithoutActivity: 6\n", "no_progress", 12],
    ["new reads", TOKENS, "budget_tokens", 11],
    ["new reads", "turn:\n  answersWithoutChange: 8\n", "no_progress", 12],
    ["slow reads", MINUTES, "budget_minutes", 60],
    ["an endless stream", "budget:\n  tokens: 3000\n", "budget_tokens", 3],
    ["an endless stream", MINUTES, "budget_minutes", 3],
    ["an endless stream", "turn:\n  longestAnswer: 2s\n", "no_progress", 3],
    ["silence", MINUTES, "budget_minutes", 3],
  ])("%s, %j: stopped by %s within %i requests", async (name, config, reason, requests) => {
    sandbox().write("home/.config/tildone/config.yaml", `${QUICK}${config}`);
    play(name);
    const { err } = await setUp({}).run("do it");
    const done = (await run())!;
    expect(done.ledger.decision, err).toMatchObject({ type: "stop", reason });
    expect(done.ledger.interrupt).toBeUndefined();
    expect(mainRequests()).toBeLessThanOrEqual(requests);
    expect(done.ledger.spent.input + done.ledger.spent.output).toBeGreaterThan(0);
  });

  test.each([
    ["the same call", "", /called 8 times in a row with the same result/, 10],
    ["new reads", TOKENS, /token budget is spent/, 11],
    ["silence", MINUTES, /time budget is spent/, 2],
  ])("%s, %j, and never a list: the turn ends", async (name, config, says, requests) => {
    sandbox().write("home/.config/tildone/config.yaml", `${QUICK}${config}`);
    play(name, undefined, 1);
    const { out, err } = await setUp({}).run("do it");
    expect(`${out}${err}`.replace(/\s+/g, " ")).toMatch(says);
    expect(mainRequests()).toBeLessThanOrEqual(requests);
    expect(await run()).toBeUndefined();
  });

  describe("a plain hold in the middle of a long turn ends it", () => {
    const cli = join(import.meta.dirname, "../../bin/tildone.js");
    const MOMENTS: Readonly<
      Record<string, { readonly calls?: (count: number) => Call[]; readonly hold?: () => void }>
    > = {
      "by the tool that runs": { calls: (count) => [bash(count === 4 ? "sh hold.sh" : `echo ${count}`)] },
      "by one of two tools of an answer": {
        calls: (count) => [bash(count === 4 ? "sh hold.sh" : `echo ${count}`), bash(`echo b${count}`)],
      },
      "while the model answers": { hold: () => sandbox().tildone("hold") },
      "while tools run and end": {
        hold: () => void spawn(process.execPath, [cli, "hold"], { cwd: sandbox().project, env: sandbox().env }),
      },
    };

    test.each(Object.keys(MOMENTS))("%s", async (moment) => {
      const { calls = (count) => [bash(`echo ${count}`)], hold } = MOMENTS[moment]!;
      sandbox().write("home/.config/tildone/config.yaml", QUICK);
      sandbox().write("project/hold.sh", `exec "${process.execPath}" "${cli}" hold > /dev/null\n`);
      const askedAt: number[] = [];
      model().play((request) => {
        if (!isMain(request)) return { text: "A title" };
        const count = askedAt.push(Date.now());
        if (count === 4) hold?.();
        if (count > 100) return { text: "I give up." };
        return { usage: USAGE, calls: count === 1 ? [todowrite(1, 0)] : calls(count) };
      });
      await setUp({}).run("do it");
      const done = (await run())!;
      expect(done.ledger.decision).toMatchObject({ type: "stop", reason: "held" });
      expect(done.ledger.interrupt).toBeUndefined();
      const [, heldAt] = /"at":"([^"]+)"[^\n]*"human\.held"/.exec(sandbox().tildone("log", done.id, "--json"))!;
      const after = askedAt.filter((at) => at > Date.parse(heldAt!));
      expect(after.length).toBeLessThanOrEqual(1);
    });
  });

  test("what was spent is known after kill -9", async () => {
    sandbox().write("home/.config/tildone/config.yaml", QUICK);
    play("new reads");
    const { env } = setUp({});
    await sandbox().run(openCodePath, ["run", "--format", "json", "do it"], env, (child) => {
      void model()
        .received(8)
        .then(() => child.kill("SIGKILL"));
    });
    const { spent, interrupt } = (await run())!.ledger;
    expect(spent.input + spent.output).toBeGreaterThanOrEqual((mainRequests() - 2) * 1000);
    expect([spent.input + spent.output <= mainRequests() * 1100, interrupt]).toEqual([true, undefined]);
  });
});
