import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedModel, Step } from "../../src/testing/index.ts";
import { fileAppears } from "./file-appears.ts";
import { killBelow } from "./kill-below.ts";
import { runSupervised, type Supervised } from "./run-supervised.ts";
import type { Sandbox } from "./sandbox.ts";
import { hanging, mainRequests, NEVER, oks, type Scripted, stepwise, textOf, turns } from "./script.ts";

/** A host that `tildone run --host` can start. */
export interface Supervisable extends Scripted, Supervised {
  /** What `ps` shows of it. */
  readonly program: string;
  /** A limit that the host itself does not wait for. */
  readonly limit?: Step;
  surroundings(): Surroundings;
}
const LIMIT: Step = { status: 429, message: "Rate limit reached. Please try again in 1 seconds." };
interface Surroundings {
  readonly sandbox: Sandbox;
  readonly model: ScriptedModel;
  readonly env: Readonly<Record<string, string>>;
}

/** What every supervised host must show: outcomes and exit codes of the standalone run, and a life after limits, crashes and signals. */
export function supervisedSuite(host: Supervisable): void {
  const supervise = (flags: readonly string[] = [], onStart?: (child: ChildProcess) => void) => {
    const { sandbox, env } = host.surroundings();
    return runSupervised(sandbox, host, env, flags, onStart);
  };
  const play = (steps: readonly Step[]) => host.surroundings().model.play(turns(steps));
  const newest = async () => (await host.surroundings().sandbox.runs())[0]!;
  const log = async () => host.surroundings().sandbox.tildone("log", (await newest()).id);

  describe("tildone run --host", () => {
    test("a list is finished, and the goal is the run's", async () => {
      play(stepwise(host, 3));
      const { code, out, err } = await supervise();
      expect(code, out + err).toBe(0);
      const { plan, ledger, goal } = await newest();
      expect(goal).toBe("make it work");
      expect(plan.todos.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
      expect(ledger.decision).toMatchObject({ reason: "done_unproven" });
      expect((await host.surroundings().sandbox.runs()).length).toBe(1);
    });

    test("with --fresh each todo starts in a new conversation of the same run", async () => {
      play(stepwise(host, 3));
      const { code, out, err } = await supervise(["--fresh"]);
      expect(code, out + err + (await log())).toBe(0);
      const { plan, ledger } = await newest();
      expect(plan.todos.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
      expect(ledger.conversation.number).toBe(3);
      expect((await host.surroundings().sandbox.runs()).length).toBe(1);
      const last = textOf(mainRequests(host.surroundings().model).at(-1)!);
      expect(last).toContain("A new conversation continues this run");
      expect(last).not.toMatch(/The list is written|Item 0 is done/);
    });

    test("a rate limit ends the process or holds it up, and the run continues", async () => {
      const [list, wrote, ...items] = stepwise(host, 2);
      play([list!, wrote!, host.limit ?? LIMIT, ...items]);
      const { code, out, err } = await supervise();
      expect(code, out + err + (await log())).toBe(0);
      const { plan, ledger, goal } = await newest();
      expect(goal).toBe("make it work");
      expect(plan.todos.map(({ status }) => status)).toEqual(["completed", "completed"]);
      expect(ledger.decision).toMatchObject({ reason: "done_unproven" });
      expect(await log()).toContain("wait rate_limited");
      // A resumed session may still write.
      expect(readFileSync(join(host.surroundings().sandbox.project, "work.txt"), "utf8")).toBe("0\n1\n");
    });

    test("a host that dies is started again in the same session", async () => {
      const [list, wrote, ...items] = stepwise(host, 2);
      play([list!, wrote!, { calls: [host.shell("touch dying; sleep 5")] }, ...items]);
      const dying = fileAppears(host.surroundings().sandbox.project, "dying");
      // The first wait after a failure that says nothing is five seconds.
      const { code, out, err } = await supervise([], ({ pid }) => void dying.then(() => killBelow(pid!, host.program)));
      expect(code, out + err).toBe(0);
      const { plan, ledger } = await newest();
      expect(plan.todos.map(({ status }) => status)).toEqual(["completed", "completed"]);
      expect(ledger.decision).toMatchObject({ reason: "done_unproven" });
      expect(await log()).toContain("wait host_failed");
      expect((await host.surroundings().sandbox.runs()).length).toBe(1);
    });

    test.each([
      ["is asked for the first time", []],
      ["wrote its list", [{ calls: [host.list(1, 0)] }]],
    ])("a host that dies when the model %s is started again with the goal", async (_when, before: readonly Step[]) => {
      const work = stepwise(host, 1);
      const { script, asked } = hanging([...before, NEVER, ...(before.length > 0 ? work.slice(2) : work)]);
      host.surroundings().model.play(script);
      const { code, out, err } = await supervise([], ({ pid }) => void asked.then(() => killBelow(pid!, host.program)));
      expect(code, out + err + (await log())).toBe(0);
      const { plan, ledger, goal } = await newest();
      expect(goal).toBe("make it work");
      expect(plan.todos.map(({ status }) => status)).toEqual(["completed"]);
      expect(ledger.interrupt).toBeUndefined();
      expect(textOf(mainRequests(host.surroundings().model).at(-1)!)).toContain("make it work");
      expect((await host.surroundings().sandbox.runs()).length).toBe(1);
    });

    test("a signal is written down before the host hears of it, and nothing continues", async () => {
      const { script, asked } = hanging([{ calls: [host.list(2, 0)] }, NEVER, ...oks()]);
      host.surroundings().model.play(script);
      const { code } = await supervise([], (child) => void asked.then(() => child.kill("SIGINT")));
      expect(code).toBe(130);
      const { ledger } = await newest();
      expect(ledger.interrupt).toBeDefined();
      // The supervisor's own word is the first; what the host makes of the signal comes after it.
      expect(/interrupted by you \((\w+)\)/.exec(await log())?.[1]).toBe("signal");
      expect(ledger.spent.continuations).toBe(0);
      expect(ledger.nudge).toBeUndefined();
    });

    test("after a signal the printed command continues in the same host, with its arguments", async () => {
      const { script, asked } = hanging([{ calls: [host.list(1, 0)] }, { text: "The list is written." }, NEVER]);
      host.surroundings().model.play(script);
      const stopped = await supervise([], (child) => void asked.then(() => child.kill("SIGINT")));
      const printed = /Continue with: tildone (.*)$/m.exec(stopped.out)?.[1] ?? stopped.out;
      expect(printed).toMatch(new RegExp(`^run --resume \\w+ --host ${host.name}$`));
      const [, ...work] = stepwise(host, 1);
      play(work.slice(1));
      const { sandbox, env } = host.surroundings();
      const before = mainRequests(host.surroundings().model).length;
      // Without the name of the host it is the same: nothing else is started in its place.
      const resumed = await sandbox.run(
        process.execPath,
        [resolve("bin/tildone.js"), ...printed.replace(` --host ${host.name}`, "").split(" ")],
        { ...env, PATH: `${host.folder}:${sandbox.env.PATH}` },
      );
      expect(resumed.code, resumed.out + resumed.err + (await log())).toBe(0);
      expect(mainRequests(host.surroundings().model).length - before).toBeGreaterThanOrEqual(2);
      const { plan, origin } = await newest();
      expect([plan.todos.map(({ status }) => status), origin.host]).toEqual([["completed"], host.name]);
      expect((await host.surroundings().sandbox.runs()).length).toBe(1);
    });

    test("a model that only says ok is given up, with the exit code for it", async () => {
      play([{ calls: [host.list(1, 0)] }, ...oks()]);
      expect((await supervise()).code).toBe(3);
    });

    test("limits given as flags hold inside the host", async () => {
      const reads = Array.from({ length: 12 }, (_, at): Step[] => [
        { calls: [host.shell(`echo look ${at}`)] },
        { text: `I looked ${at}.` },
      ]);
      play([{ calls: [host.list(1, 0)] }, { text: "written" }, ...reads.flat()]);
      const { code, out, err } = await supervise(["--max-continuations", "2"]);
      expect(code, out + err).toBe(3);
      expect((await newest()).ledger.spent.continuations).toBe(2);
      expect(mainRequests(host.surroundings().model)).toHaveLength(6); // the list, its end, and two nudged turns of two
    });
  });
}
