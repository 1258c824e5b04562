import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startScriptedModel } from "../../src/testing/index.ts";
import { piTool } from "../../test/e2e/pi/pi-tool.ts";
import { createSandbox } from "../../test/hosts/sandbox.ts";
import type { System } from "./cell.ts";
import { asksOf, layOut } from "./play.ts";
import { playOn, type Stage } from "./stage.ts";
import { settingsFor, verdictIn } from "./tildone.ts";

const { version } = JSON.parse(readFileSync(resolve("package.json"), "utf8")) as { version: string };

/** It asks before it changes a package.json, say, whatever it is allowed; there is no answer, so that is soon a no. */
const UNATTENDED = { approval: { timeout: "2s" } };

const AGENT: Stage = {
  tools: () => ({ call: piTool }),
  means: { compacts: { tokens: 126_000, in: "this" } }, // of 128 thousand, which is assumed of a model without a description
  async setUp(persona, script, defer) {
    const model = await startScriptedModel(script);
    defer(() => model.close());
    const sandbox = createSandbox("agent");
    defer(() => sandbox.remove());
    layOut(persona, sandbox.project);
    const home = join(sandbox.home, "tildone");
    mkdirSync(home);
    writeFileSync(join(home, "config.json"), settingsFor(persona, UNATTENDED));
    mkdirSync(join(sandbox.home, "pi"));
    // What is kept of a compacted context is less than usual, as it is small anyway.
    writeFileSync(join(sandbox.home, "pi/settings.json"), '{ "compaction": { "keepRecentTokens": 1 } }');
    return {
      model,
      project: sandbox.project,
      program: process.execPath,
      args: [
        ...[resolve("bin/tildone.js"), "run", asksOf(persona), "--json", "--approval", "yolo"],
        ...["--base-url", `${model.url}/v1`, "--model", "m"],
      ],
      env: {
        ...sandbox.env,
        TILDONE_HOME: home,
        PI_CODING_AGENT_DIR: join(sandbox.home, "pi"),
        PI_OFFLINE: "1",
      },
      shows: () => verdictIn(join(home, "tildone.db")),
    };
  },
};

/** `tildone run` as a user would call it. */
export const STANDALONE: System = {
  name: "tildone run",
  version,
  family: "pi",
  isOurs: true,
  exitsForUs: true,
  beside: "pi",
  play: (persona, terms) => playOn(AGENT, persona, terms),
};
