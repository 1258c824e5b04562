import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { countedTokens, type Run } from "../../../src/core/run/index.ts";
import { openRun } from "../../../src/engine/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { openTildone } from "../agent/terminal.ts";
import { openSandbox, type Sandbox } from "../pi/sandbox.ts";
import { openTerminal } from "../pi/terminal.ts";
import { CASES, type Case, nameOf } from "./limits.ts";
import { runaway, spendOf } from "./models.ts";

const LONG = { timeout: 120_000 };

const caseOf = (model: Case["model"], limit: string): Case =>
  CASES.find((each) => each.model === model && nameOf(each).includes(limit))!;

async function sandboxFor({ model, config }: Case): Promise<Sandbox> {
  const box = await openSandbox({ script: runaway(model) });
  mkdirSync(join(box.root, "tildone"), { recursive: true });
  if (config !== undefined) writeFileSync(join(box.root, "tildone", "config.yaml"), config);
  return box;
}

const flagsOf = ({ flags }: Case): readonly string[] =>
  Object.entries(flags ?? {}).flatMap(([name, value]) => [`--til-done-${name}`, value]);

/** The only run, and the types of its events. */
async function runIn(box: Sandbox): Promise<{ readonly run: Run; readonly types: readonly string[] }> {
  const store = await openStore({ path: box.store });
  const [card] = store.runs.list();
  const { run } = openRun(store.log, card!.run);
  const types = store.log.read(card!.run, 0).events.map(({ event }) => event.type);
  store.close();
  return { run, types };
}

async function expectStopped(box: Sandbox, given: Case): Promise<void> {
  const { run, types } = await runIn(box);
  expect(run.ledger.decision).toMatchObject({ type: "stop", reason: given.reason });
  expect(types).not.toContain("human.interrupted");
  expect(box.model.requests.length).toBeLessThanOrEqual(given.requests);
  expect(countedTokens(run.ledger.spent)).toBeGreaterThanOrEqual(spendOf(given.model, box.model.requests.length));
}

describe.concurrent("pi without a screen stops a model that never settles", LONG, () => {
  test.each([
    ["-p", caseOf("the same call", "no limit")],
    ["-p", caseOf("new reads", "max-tokens")],
    ["-p", caseOf("alternating calls", "answersWithoutActivity")],
    ["-p", caseOf("new reads", "answersWithoutChange")],
    ["-p", caseOf("an endless stream", "max-tokens")],
    ["-p", caseOf("silence", "max-minutes")],
    ["--mode=json", caseOf("an endless stream", "max-minutes")],
  ] as const)("%s: %o", async (mode, given) => {
    await using box = await sandboxFor(given);
    const { err } = await box.run(...flagsOf(given), ...(mode === "-p" ? ["-p"] : ["--mode", "json"]), "do it");
    expect(err.replace(/\s+/g, " ")).toMatch(given.says);
    await expectStopped(box, given);
  });
});

describe.concurrent("pi stops a model that never settles and never writes a list", LONG, () => {
  test.each([
    ["the same call", [], 10, /read was called 8 times in a row with the same result/],
    ["new reads", ["--til-done-max-tokens", "10000"], 12, /token budget is spent/],
    ["silence", ["--til-done-max-minutes", "0.05"], 2, /time budget is spent/],
  ] as const)("%s", async (name, flags, requests, says) => {
    await using box = await openSandbox({ script: (request, count) => runaway(name)(request, count + 1) });
    const { err } = await box.run(...flags, "-p", "do it");
    expect(err.replace(/\s+/g, " ")).toMatch(says);
    expect(box.model.requests.length).toBeLessThanOrEqual(requests);
  });
});

describe("pi in a terminal", LONG, () => {
  test.each([
    caseOf("silence", "max-minutes"),
    caseOf("an endless stream", "max-tokens"),
    caseOf("alternating calls", "max-tokens"),
  ])("stops: $model", async (given) => {
    await using box = await sandboxFor(given);
    using terminal = openTerminal(box, ...flagsOf(given), "do it");
    await terminal.shows(/budget is spent/);
    await expectStopped(box, given);
  });

  test("a hold from another terminal ends the turn", async () => {
    await using box = await openSandbox({
      script: (request, count) => ({
        ...runaway("new reads")(request, count),
        after: new Promise((next) => setTimeout(next, 20)),
      }),
    });
    using terminal = openTerminal(box, "do it");
    await box.model.received(10);
    execFileSync(process.execPath, [resolve("bin/tildone.js"), "hold"], { cwd: box.cwd, env: box.env });
    const before = box.model.requests.length;
    await terminal.shows(/On hold\./);
    const { run, types } = await runIn(box);
    expect(run.ledger.decision).toMatchObject({ type: "stop", reason: "held" });
    expect(types).not.toContain("human.interrupted");
    expect(box.model.requests.length - before).toBeLessThanOrEqual(1);
  });

  test("what was spent is known after kill -9", async () => {
    await using box = await openSandbox({ script: runaway("new reads") });
    using terminal = openTerminal(box, "do it");
    await box.model.received(22);
    await terminal.kill();
    const { run } = await runIn(box);
    expect(countedTokens(run.ledger.spent)).toBeGreaterThanOrEqual(20_000);
  });
});

test("tildone in a terminal stops a silent model at its time", LONG, async () => {
  await using tildone = await openTildone({
    script: runaway("silence"),
    words: "do it",
    env: { TILDONE_MAX_MINUTES: "0.05", TILDONE_APPROVAL: "yolo" },
  });
  await tildone.terminal.shows(/time budget is spent/i);
  expect(tildone.box.model.requests.length).toBeLessThanOrEqual(3);
});
