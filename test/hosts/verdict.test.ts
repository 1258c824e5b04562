import { describe, expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { REAL_HOSTS, type RealHost } from "./hosts.ts";
import { mainRequests, oks, turns } from "./script.ts";
import { useStage } from "./stage.ts";
import { hasTmux, useHostTerminal } from "./terminal.ts";

/** What you read in the host's own terminal. */
const binaries = inject("binaries");
const HOSTS = REAL_HOSTS.filter(({ name }) => "path" in binaries[name]);

describe.skipIf(!hasTmux).each(HOSTS)("$name in a terminal", (host) => {
  const stage = useStage("verdict");
  const terminal = useHostTerminal();
  const list = host.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] });
  /** A server that still starts when the model is first asked has no tools to offer: they come with the second request. */
  const first: Step = { calls: [host.shell("sleep 5")] };
  const play = async (host: RealHost, steps: readonly Step[]): Promise<void> => {
    host.screen.prepare?.(stage.sandbox);
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
    stage.model.play(turns([first, ...steps, ...oks()]));
    const binary = binaries[host.name];
    await terminal.open(host, stage.sandbox, "path" in binary ? binary.path : "", stage.model.url, "do it");
  };

  test("a run that is finished and not proven says so, and a nudge is no error", async () => {
    await play(host, [
      { calls: [list] },
      { text: "I stop here." },
      { calls: [host.shell("echo 1 > work.txt")] },
      { calls: [host.ours("edit_todos", { action: "complete", indices: [0] })] },
      { text: "Everything is done." },
    ]);
    const screen = await terminal.shows(/not all of it is proven/);
    expect(screen).toContain("[1/1 done");
    if (!host.screen.callsNudgesErrors) expect(screen).not.toMatch(/hook error/i);
    expect(mainRequests(stage.model)).toHaveLength(6);
  });

  test("a run that was given up says so", async () => {
    await play(host, [{ calls: [list] }]);
    expect(await terminal.shows(/made no progress/)).toMatch(/\[0\/1( done)?\]/);
  });
});
