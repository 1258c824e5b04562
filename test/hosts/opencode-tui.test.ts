import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Run } from "../../src/core/run/index.ts";
import type { Step } from "../../src/testing/index.ts";
import { bash, isMain, stepwise, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, QUICK, useOpenCode } from "./opencode-stage.ts";
import { hasTmux, useTerminal } from "./opencode-terminal.ts";
import { expectNothingDangling } from "./opencode-transcript.ts";
import { BACKGROUND, wayBack } from "./way-back.ts";

describeOpenCode("opencode in a terminal", () => {
  describe.skipIf(!hasTmux)("with tmux", { timeout: 300_000 }, () => {
    const { setUp, sandbox, model, run, transcript, nudges, mainRequests, quiet, logged } = useOpenCode("opencode-tui");
    const terminal = useTerminal();
    const { until, shows, press, says, commands, leaves } = terminal;

    /** A toast goes away; the log stays. */
    const isOver = ({ status }: Run): boolean => status === "ended";
    const isInterrupted = ({ ledger: { decision } }: Run): boolean =>
      decision?.type === "stop" && decision.reason === "interrupted";
    const open = (env: Readonly<Record<string, string>> = {}) => terminal.open(sandbox(), setUp({ env }));
    /** The half of the package that lives in OpenCode's screen. */
    const useScreen = () =>
      sandbox().write("home/.config/opencode/tui.json", JSON.stringify({ plugin: [resolve(".")] }));

    test("a list of three is finished, with the countdown on the screen", async () => {
      model().play(turns(stepwise(3)));
      open();
      await shows(/Continuing in \d s: \d open/);
      const done = await logged(isOver);
      expect(done.plan.todos.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
      expect([nudges(), mainRequests()]).toEqual([3, 11]);
      expect(await leaves()).toBe(0);
      expectNothingDangling(transcript(done), 3);
    });

    test("a list of twenty is finished, one nudge per boundary", async () => {
      sandbox().write("home/.config/tildone/config.yaml", QUICK);
      model().play(turns(stepwise(20)));
      open({ TILDONE_COUNTDOWN: "200ms" });
      const done = await logged(isOver);
      expect(done.plan.todos.map(({ status }) => status)).toEqual(Array(20).fill("completed"));
      expect([nudges(), done.ledger.spent.continuations, mainRequests()]).toEqual([20, 20, 62]);
      expect(await leaves()).toBe(0);
      expectNothingDangling(transcript(done), 20);
    });

    test("/hold answers with a toast and nothing else, and nothing is sent until /unhold", async () => {
      model().play(
        turns([{ calls: [todowrite(1, 0)] }, { text: "stop" }, { calls: [todowrite(1, 1)] }, { text: "done" }]),
      );
      open({ TILDONE_COUNTDOWN: "20s" });
      await shows(/Continuing in \d+ s: 1 open/);
      await commands("hold");
      const screen = await shows(/On hold\. \/unhold continues\./);
      expect(screen).not.toMatch(/error|unexpected|failed/i);
      await quiet();
      expect([nudges(), mainRequests(), (await run())!.ledger.held]).toEqual([0, 2, true]);
      await commands("unhold");
      await logged(({ ledger: { decision } }) => decision?.type === "stop" && decision.reason === "done_with_doubt");
      expect(nudges()).toBe(1);
    });

    describe("escape: nothing is sent until the user spoke and the work was taken up, and then to the end", () => {
      /** Words alone are not enough; words that are taken up are. */
      async function comesBack(): Promise<void> {
        await logged(isInterrupted);
        await quiet();
        expect(nudges()).toBe(0);
        const { boundaries } = (await run())!.ledger;
        await says("what was that?");
        await logged((now) => now.ledger.boundaries > boundaries && isInterrupted(now));
        await quiet();
        expect(nudges()).toBe(0);
        await says("go on with it");
        const done = await logged(isOver);
        expect([nudges(), done.plan.todos.map(({ status }) => status)]).toEqual([1, ["completed"]]);
        expect(await leaves()).toBe(0);
      }

      test.each([
        ["without our half in the screen", () => {}],
        ["with it", useScreen],
      ])("while the model thinks, %s", async (_with, prepare) => {
        prepare();
        const slow = Promise.withResolvers<void>();
        model().play(wayBack([{ calls: [todowrite(1, 0)] }, { text: "stop", after: slow.promise }]));
        open({ TILDONE_COUNTDOWN: "300ms" });
        await shows(/esc/);
        await until("the second request", () => mainRequests() === 2);
        await escapeTwice();
        slow.resolve();
        await comesBack();
      });

      test.each([
        ["without our half in the screen", () => {}],
        ["with it", useScreen],
      ])("while a tool runs, %s", async (_with, prepare) => {
        prepare();
        model().play(wayBack([{ calls: [todowrite(1, 0)] }, { calls: [bash("touch started; sleep 60")] }]));
        open({ TILDONE_COUNTDOWN: "300ms" });
        await until("the tool", () => existsSync(join(sandbox().project, "started")));
        await escapeTwice();
        await comesBack();
      });

      async function escapeTwice(): Promise<void> {
        press("Escape");
        await shows(/again to interrupt/);
        press("Escape");
        await logged(isInterrupted);
      }

      test("during the countdown", async () => {
        useScreen();
        model().play(wayBack([{ calls: [todowrite(1, 0)] }, { text: "stop" }]));
        open({ TILDONE_COUNTDOWN: "9s" });
        await shows(/Continuing in \d s: 1 open/);
        press("Escape");
        await comesBack();
      });

      test("at rest, after the run stopped: what you say next does not set it off", async () => {
        useScreen();
        model().play(
          turns([{ calls: [todowrite(1, 0)] }, ...Array.from({ length: 9 }, (_, at) => ({ text: `ok ${at}` }))]),
        );
        open({ TILDONE_COUNTDOWN: "300ms" });
        await logged(({ ledger: { decision } }) => decision?.type === "stop" && decision.reason === "no_progress");
        const sent = nudges();
        press("Escape");
        await logged(({ ledger }) => ledger.interrupt !== undefined);
        const { boundaries } = (await run())!.ledger;
        await says("hello");
        await logged((now) => now.ledger.boundaries > boundaries && isInterrupted(now));
        await quiet();
        expect(nudges()).toBe(sent);
      });

      test("at rest, the run waiting for an agent in the background", async () => {
        useScreen();
        const child = Promise.withResolvers<void>();
        const steps: Step[] = [{ calls: [todowrite(1, 0)] }, { calls: [BACKGROUND] }, { text: "I wait." }];
        const root = wayBack(steps);
        model().play((request) =>
          isMain(request) && request.messages[0]!.text.includes("#child")
            ? { text: "I looked.", after: child.promise }
            : root(request),
        );
        open({ TILDONE_COUNTDOWN: "300ms", OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" });
        await logged(({ ledger: { decision } }) => decision?.type === "wait" && decision.reason === "background");
        press("Escape");
        await logged(isInterrupted);
        child.resolve();
        await comesBack();
      });
    });

    test("without our half in the screen OpenCode keeps escape at rest to itself, and the countdown continues", async () => {
      model().play(
        turns([{ calls: [todowrite(1, 0)] }, { text: "stop" }, { calls: [todowrite(1, 1)] }, { text: "done" }]),
      );
      open({ TILDONE_COUNTDOWN: "9s" });
      await shows(/Continuing in \d s: 1 open/);
      press("Escape");
      press("Escape");
      await until("the nudge", () => nudges() === 1);
      expect((await run())!.ledger.interrupt).toBeUndefined();
    });
  });
});
