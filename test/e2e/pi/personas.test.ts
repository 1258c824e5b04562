import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { UNBORN } from "../../../src/core/run/index.ts";
import { foldStored } from "../../../src/engine/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { PERSONAS, type Persona, said, scriptOf } from "../../../src/testing/index.ts";
import { piTool } from "./pi-tool.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { openTerminal } from "./terminal.ts";

/** A few of each kind: the others differ in what the core sees, not in what pi does. */
const PLAYED = [
  "marks everything done without work",
  "edits the test instead of the code",
  "makes the check succeed whatever happens",
  "passes once and then breaks it",
  "claims in words only",
  "adds a test",
  "rewrites a test it declared",
  "tidies a test without declaring it",
  "writes reports from its checks",
  "says ok",
  "alternates two calls",
  "appends a byte to a file for ever",
  "edits for forty turns on one todo",
  "reads for fifteen turns before it writes",
  "stops after each todo",
  "asks permission",
  "asks a real question",
  "asks twice whether to continue, in German",
  "asks twice whether to continue, in Chinese",
  "asks to do what cannot be undone, in English",
];

/** What a verdict could depend on: work that is claimed, judged, repeated, asked about, or spread over todos. */
const FRESH = [
  "marks everything done without work",
  "edits the test instead of the code",
  "passes once and then breaks it",
  "adds a test",
  "says ok",
  "alternates two calls",
  "stops after each todo",
  "asks a real question",
];

test.each([
  ...PLAYED.map((name) => [name, "same"] as const),
  ...(process.env.EVERY_PERSONA ? PLAYED : FRESH).map((name) => [name, "fresh"] as const),
])("print: a model that %s, each todo in the %s conversation", async (name, context) => {
  const persona = PERSONAS.find((each) => each.name === name)!;
  await using box = await openSandbox({ script: scriptOf(persona, piTool), env: { TILDONE_CONTEXT: context } });
  layOut(box, persona);
  await box.run("-p", persona.asks);
  const { decision, nudges } = await outcomeOf(box);
  expect(said(decision)).toBe(`stop ${persona.ends.reason}`);
  if (persona.ends.says !== undefined) expect(JSON.stringify(decision)).toContain(persona.ends.says);
  expect(nudges).toBeGreaterThanOrEqual(persona.ends.nudges.atLeast);
  expect(nudges).toBeLessThanOrEqual(persona.ends.nudges.atMost);
});

test.each(["edits the test instead of the code", "adds a test", "says ok", "stops after each todo"])(
  "terminal: a model that %s",
  async (name) => {
    const persona = PERSONAS.find((each) => each.name === name)!;
    await using box = await openSandbox({
      script: scriptOf(persona, piTool),
      flags: ["--til-done-countdown", "50ms"],
    });
    layOut(box, persona);
    using _terminal = openTerminal(box, persona.asks);
    await expect
      .poll(async () => (existsSync(box.store) ? said((await outcomeOf(box)).decision) : "nothing"), {
        timeout: 60_000,
      })
      .toBe(`stop ${persona.ends.reason}`);
    const { nudges } = await outcomeOf(box);
    expect(nudges).toBeGreaterThanOrEqual(persona.ends.nudges.atLeast);
    expect(nudges).toBeLessThanOrEqual(persona.ends.nudges.atMost);
  },
);

function layOut({ cwd, root }: Sandbox, { project, checks, touches = [] }: Persona): void {
  for (const [path, content] of Object.entries(project)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=persona", "-c", "user.email=persona@localhost", ...args], {
      cwd,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "the project");
  mkdirSync(join(root, "tildone"), { recursive: true });
  writeFileSync(
    join(root, "tildone", "config.json"),
    JSON.stringify({ checks: { run: checks, touches, allow: ["sh *"] } }),
  );
}

async function outcomeOf({ store: path }: Sandbox) {
  const store = await openStore({ path });
  try {
    const [card] = store.runs.list();
    const { events } = store.log.read(card?.run ?? "", 0);
    const run = foldStored(UNBORN, events);
    return {
      decision: run.ledger.decision,
      nudges: events.filter(({ event }) => event.type === "nudge.delivered").length,
    };
  } finally {
    store.close();
  }
}
