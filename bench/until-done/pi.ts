import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openSandbox, PI } from "../../test/e2e/pi/sandbox.ts";
import type { System } from "./cell.ts";
import { layOut } from "./play.ts";
import { playOn, type Stage } from "./stage.ts";
import { reasonIn, settingsFor } from "./tildone.ts";
import { piTool } from "./tools.ts";

const manifest = join(dirname(PI), "../../package.json");
const version = (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;

export const PI_SYSTEMS: readonly System[] = [
  { name: "pi", version, family: "pi", play: (persona, terms) => playOn(stageOf("alone"), persona, terms) },
  {
    name: "pi + tildone",
    version,
    family: "pi",
    beside: "pi",
    play: (persona, terms) => playOn(stageOf("with tildone"), persona, terms),
  },
];

const stageOf = (way: "alone" | "with tildone"): Stage => ({
  tools: () => piTool,
  means: { compacts: { tokens: 990_000, in: "this" } }, // of a million
  async setUp(persona, script) {
    const box = await openSandbox({
      script,
      bare: way === "alone",
      // It retries as pi is shipped. What is kept of a compacted context is less, as it is small anyway.
      settings: { retry: { enabled: true }, compaction: { keepRecentTokens: 1 } },
      flags: way === "alone" ? ["-ne"] : [],
    });
    layOut(persona, box.cwd);
    mkdirSync(join(box.root, "tildone"), { recursive: true });
    writeFileSync(join(box.root, "tildone", "config.json"), settingsFor(persona));
    return {
      model: box.model,
      project: box.cwd,
      program: process.execPath,
      args: [...box.argv, "-p", persona.asks],
      env: box.env,
      reason: async () => (way === "alone" ? undefined : reasonIn(box.store)),
      dispose: async () => box[Symbol.asyncDispose](),
    };
  },
});
