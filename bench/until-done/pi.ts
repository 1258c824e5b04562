import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Persona } from "../../src/testing/index.ts";
import { piTool } from "../../test/e2e/pi/pi-tool.ts";
import { openSandbox, PI, type Sandbox } from "../../test/e2e/pi/sandbox.ts";
import type { System } from "./cell.ts";
import { onScreen } from "./on-screen.ts";
import { isOnScreen } from "./personas.ts";
import { asksOf, layOut } from "./play.ts";
import { playOn, type Stage } from "./stage.ts";
import { settingsFor, verdictIn } from "./tildone.ts";

const manifest = join(dirname(PI), "../../package.json");
const version = (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;

type Way = "alone" | "with tildone" | "supervised";

export const PI_SYSTEMS: readonly System[] = [
  { name: "pi", version, family: "pi", play: (persona, terms) => playOn(stageOf("alone"), persona, terms) },
  {
    name: "pi + tildone",
    version,
    family: "pi",
    isOurs: true,
    beside: "pi",
    play: (persona, terms) => playOn(stageOf("with tildone"), persona, terms),
  },
  {
    name: "tildone run --host pi",
    version,
    family: "pi",
    isOurs: true,
    beside: "pi",
    exitsForUs: true,
    play: (persona, terms) => playOn(stageOf("supervised"), persona, terms),
  },
];

const stageOf = (way: Way): Stage => ({
  tools: () => ({ call: piTool }),
  means: {
    compacts: { tokens: 990_000, in: "this" }, // of a million
    ...(way !== "supervised" && { screen: { asksAfterStop: 0 } }),
  },
  async setUp(persona, script, defer) {
    const box = await openSandbox({
      script,
      bare: way === "alone",
      // It retries as pi is shipped. What is kept of a compacted context is less, as it is small anyway.
      settings: { retry: { enabled: true }, compaction: { keepRecentTokens: 1 } },
      flags: way === "alone" ? ["-ne"] : [],
      keepsSession: way === "supervised",
    });
    defer(() => box[Symbol.asyncDispose]());
    layOut(persona, box.cwd);
    mkdirSync(join(box.root, "tildone"), { recursive: true });
    writeFileSync(join(box.root, "tildone", "config.json"), settingsFor(persona));
    const env = { ...box.env, PATH: `${resolve("node_modules/.bin")}:${box.env.PATH}` };
    const line = [process.execPath, ...box.argv, asksOf(persona)];
    return {
      model: box.model,
      project: box.cwd,
      program: process.execPath,
      args: way === "supervised" ? supervised(persona, box) : [...box.argv, "-p", asksOf(persona)],
      env,
      ...(isOnScreen(persona) && onScreen({ line, stop: ["Escape"] }, env)),
      ...(way !== "alone" && { shows: () => verdictIn(box.store) }),
    };
  },
});

const supervised = (persona: Persona, { argv }: Sandbox): readonly string[] => [
  ...[resolve("bin/tildone.js"), "run", "--host", "pi", asksOf(persona)],
  ...argv.slice(1).map((arg) => `--host-arg=${arg}`),
];
