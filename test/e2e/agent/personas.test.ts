import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { PERSONAS, type Persona, scriptOf, startScriptedModel } from "../../../src/testing/index.ts";
import { piTool } from "../pi/pi-tool.ts";
import { aPlace, linesOf, type Place } from "./tildone.ts";

/** What a verdict could depend on: work that is claimed, judged, repeated or spread over todos. The benchmark plays all, with `--fresh`. */
const FRESH = [
  "marks everything done without work",
  "edits the test instead of the code",
  "passes once and then breaks it",
  "adds a test",
  "says ok",
  "alternates two calls",
  "stops after each todo",
];

test.each(PERSONAS.filter(({ name }) => FRESH.includes(name)))(
  "tildone run --fresh: a model that $name",
  async (persona) => {
    await using place = aPlace();
    layOut(place, persona);
    const model = await startScriptedModel(scriptOf(persona, piTool));
    const flags = ["--base-url", `${model.url}/v1`, "--model", "scripted", "--approval", "yolo", "--json"];
    const { out, err } = await place.tildone("run", persona.asks, "--fresh", ...flags);
    await model.close();
    const { result, events } = linesOf(out);
    expect(result.reason, err).toBe(persona.ends.reason);
    if (persona.ends.says !== undefined) expect(JSON.stringify(events)).toContain(persona.ends.says);
    const nudges = events.filter(({ type }) => type === "nudge.delivered").length;
    expect(nudges).toBeGreaterThanOrEqual(persona.ends.nudges.atLeast);
    expect(nudges).toBeLessThanOrEqual(persona.ends.nudges.atMost);
  },
);

function layOut({ project, env }: Place, { project: files, checks, touches = [] }: Persona): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  const author = ["-c", "user.name=persona", "-c", "user.email=persona@localhost"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "the project"],
  ])
    execFileSync("git", [...author, ...args], { cwd: project, stdio: "ignore" });
  mkdirSync(env.TILDONE_HOME, { recursive: true });
  writeFileSync(
    join(env.TILDONE_HOME, "config.json"),
    JSON.stringify({ approval: { timeout: "2s" }, checks: { run: checks, touches, allow: ["sh *"] } }),
  );
}
