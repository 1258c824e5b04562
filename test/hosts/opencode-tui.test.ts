import { execFileSync, spawnSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import type { Run } from "../../src/core/run/index.ts";
import { stepwise, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, openCodePath, QUICK, useOpenCode } from "./opencode-stage.ts";

// OpenCode's own screen in a real terminal, with a tmux server that belongs to the test alone.
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const WAIT_MS = 200_000;

describeOpenCode("opencode in a terminal", () => {
  describe.skipIf(!hasTmux)("with tmux", { timeout: 300_000 }, () => {
    const { setUp, sandbox, model, run, nudges, mainRequests, quiet, logged } = useOpenCode("opencode-tui");
    const socket = `tildone-opencode-${process.pid}`;
    const tmux = (...words: readonly string[]) =>
      execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], { encoding: "utf8" });
    afterEach(() => void spawnSync("tmux", ["-L", socket, "kill-server"]));

    /** A toast goes away; the log stays. */
    const isOver = ({ status }: Run): boolean => status === "ended";
    const open = (env: Readonly<Record<string, string>> = {}): void => {
      const all = { ...sandbox().env, ...setUp({ env }).env, TERM: "xterm-256color" };
      const line = ["env", "-i", ...Object.entries(all).map(([name, value]) => `${name}=${value}`), openCodePath];
      const command = [...line, "--prompt", "do it all"].map((word) => `'${word}'`).join(" ");
      tmux("new-session", "-d", "-s", "tui", "-x", "140", "-y", "50", "-c", sandbox().project, command);
    };
    const until = async (what: string, holds: (screen: string) => boolean): Promise<string> => {
      const deadline = performance.now() + WAIT_MS;
      for (;;) {
        const screen = tmux("capture-pane", "-p", "-t", "tui");
        if (holds(screen)) return screen;
        if (performance.now() > deadline) throw new Error(`waited in vain for ${what}:\n${screen}`);
        await new Promise((done) => setTimeout(done, 100)); // a terminal tells nobody that it changed
      }
    };
    const shows = (pattern: RegExp): Promise<string> => until(String(pattern), (screen) => pattern.test(screen));
    /** The first key takes what the menu of commands offers, the second sends it. */
    const says = async (command: string): Promise<void> => {
      tmux("send-keys", "-t", "tui", "-l", `/${command}`);
      await shows(new RegExp(`/${command} +tildone:`));
      tmux("send-keys", "-t", "tui", "Enter");
      await until("the menu to close", (screen) => !new RegExp(`/${command} +tildone:`).test(screen));
      tmux("send-keys", "-t", "tui", "Enter");
    };

    test("a list of three is finished, with the countdown on the screen", async () => {
      model().play(turns(stepwise(3)));
      open();
      await shows(/Goes on in \d s: \d open/);
      expect((await logged(isOver)).plan.todos.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
      expect([nudges(), mainRequests()]).toEqual([3, 11]);
    });

    test("a list of twenty is finished, one nudge per boundary", async () => {
      sandbox().write("home/.config/tildone/config.yaml", QUICK);
      model().play(turns(stepwise(20)));
      open({ TILDONE_COUNTDOWN: "200ms" });
      const done = await logged(isOver);
      expect(done.plan.todos.map(({ status }) => status)).toEqual(Array(20).fill("completed"));
      expect([nudges(), done.ledger.spent.continuations, mainRequests()]).toEqual([20, 20, 62]);
    });

    test("/hold answers with a toast and nothing else, and nothing is sent until /unhold", async () => {
      model().play(
        turns([{ calls: [todowrite(1, 0)] }, { text: "stop" }, { calls: [todowrite(1, 1)] }, { text: "done" }]),
      );
      open({ TILDONE_COUNTDOWN: "20s" });
      await shows(/Goes on in \d s: 1 open/);
      await says("hold");
      const screen = await shows(/Held\. \/unhold lets it go on\./);
      expect(screen).not.toMatch(/error|unexpected|failed/i);
      await quiet();
      expect([nudges(), mainRequests(), (await run())!.ledger.held]).toEqual([0, 2, true]);
      await says("unhold");
      await logged(({ ledger: { decision } }) => decision?.type === "stop" && decision.reason === "done_with_doubt");
      expect(nudges()).toBe(1);
    });

    test("escape while it works: nothing is sent", async () => {
      const slow = Promise.withResolvers<void>();
      model().play(turns([{ calls: [todowrite(1, 0)] }, { text: "stop", after: slow.promise }]));
      open({ TILDONE_COUNTDOWN: "300ms" });
      await shows(/esc/);
      await until("the second request", () => mainRequests() === 2);
      tmux("send-keys", "-t", "tui", "Escape");
      await shows(/again to interrupt/);
      tmux("send-keys", "-t", "tui", "Escape");
      await shows(/interrupted/i);
      await quiet();
      slow.resolve();
      expect([nudges(), (await run())!.ledger.decision]).toEqual([
        0,
        expect.objectContaining({ type: "stop", reason: "interrupted" }),
      ]);
    });
  });
});
