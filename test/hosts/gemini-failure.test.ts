import { describe, expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { programsOf } from "./binaries.ts";
import { GEMINI } from "./hosts.ts";
import { runSupervised } from "./run-supervised.ts";
import { mainRequests, textOf, turns } from "./script.ts";
import { useStage } from "./stage.ts";
import { hasTmux, useHostTerminal } from "./terminal.ts";

// Gemini runs its stop hook after an error of the provider, too, as if the agent had stopped.
const binary = inject("binaries").gemini;

describe.skipIf("skipped" in binary)("Gemini: a request that the provider refuses", () => {
  const stage = useStage("gemini-400");
  const terminal = useHostTerminal();
  const list: Step = {
    calls: [GEMINI.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] })],
  };
  const bad: Step = { status: 400, message: "The request is wrong." };
  const REASON = /The model provider failed: 400 The request is wrong\. \(INVALID_ARGUMENT\)/;
  const install = (...before: readonly Step[]) => {
    GEMINI.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", "gemini");
    stage.model.play(turns([...before, list, ...Array<Step>(9).fill(bad)]));
  };
  const why = async () => stage.sandbox.tildone("why", (await stage.sandbox.runs())[0]!.id).replaceAll(/\s+/g, " ");

  test.skipIf(!hasTmux)("in its terminal", async () => {
    install({ calls: [GEMINI.shell("sleep 5")] }); // a server that still starts has no tools to offer
    await terminal.open(GEMINI, stage.sandbox, "path" in binary ? binary.path : "", stage.model.url, "do it");
    expect(await terminal.shows(/tildone: The model provider failed/)).not.toContain("Todos remain");
    expect(await why()).toMatch(REASON);
    const asked = mainRequests(stage.model);
    expect(asked.length, `${await why()}\n${asked.map((request) => textOf(request).slice(-300)).join("\n---\n")}`).toBe(
      3,
    );
  });

  test("under tildone run --host", async () => {
    install();
    const host = { name: "gemini", folder: programsOf("gemini"), unasked: GEMINI.unasked } as const;
    const { code, out } = await runSupervised(stage.sandbox, host, GEMINI.env(stage.sandbox, stage.model.url), []);
    expect([code, REASON.test(out)], out).toEqual([6, true]);
    expect(await why()).toMatch(REASON);
  });
});
