import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { startScriptedModel } from "../../src/testing/index.ts";
import { aPlace } from "../../test/e2e/agent/tildone.ts";
import { type Cell, RUNAWAY, type System } from "./cell.ts";
import { boundedScript, countsOf, isReallyDone, layOut, needs } from "./play.ts";
import { settingsFor, spoken } from "./tildone.ts";
import { piTool } from "./tools.ts";
import { untilEnded } from "./until-ended.ts";

const { version } = JSON.parse(readFileSync(resolve("package.json"), "utf8")) as { version: string };

/** `tildone run` as a user would call it. */
export const STANDALONE: System = {
  name: "tildone run",
  version,
  async play(persona, { longestMs, keep }): Promise<Cell> {
    const why = needs(persona);
    if (why !== undefined) return { status: "not run", why };
    await using place = aPlace();
    const model = await startScriptedModel(boundedScript(persona, piTool, () => child.kill("SIGINT")));
    layOut(persona, place.project);
    const home = join(dirname(place.project), "tildone");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "config.json"), settingsFor(persona));
    const begun = performance.now();
    const { child, ended } = place.start(
      ...["run", persona.asks, "--json", "--approval", "yolo", "--base-url", `${model.url}/v1`, "--model", "m"],
    );
    const ending = await untilEnded(child, longestMs);
    const ms = performance.now() - begun;
    await model.close();
    keep(model.requests);
    const counts = countsOf(model.requests);
    if (ending.status === "too long" && counts.requests <= RUNAWAY) return { status: "no end", afterMs: longestMs };
    const { code, out } = await ended;
    const said = spoken(code, reasonOf(out));
    return { status: "ran", finished: isReallyDone(persona, place.project), ...said, ...counts, ms };
  },
};

function reasonOf(out: string): string | undefined {
  const last = out.trimEnd().split("\n").at(-1) ?? "";
  return last.startsWith("{") ? (JSON.parse(last) as { reason?: string }).reason : undefined;
}
