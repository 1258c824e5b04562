import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Persona } from "../../src/testing/index.ts";
import { openSandbox, PI } from "../../test/e2e/pi/sandbox.ts";
import { type Cell, RUNAWAY, type System, type Terms } from "./cell.ts";
import { boundedScript, countsOf, isReallyDone, layOut, needs } from "./play.ts";
import { reasonIn, settingsFor, spoken } from "./tildone.ts";
import { piTool } from "./tools.ts";
import { untilEnded } from "./until-ended.ts";

const manifest = join(dirname(PI), "../../package.json");
const version = (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;

export const PI_SYSTEMS: readonly System[] = [
  { name: "pi", version, play: (persona, terms) => play(persona, terms, "alone") },
  { name: "pi + tildone", version, play: (persona, terms) => play(persona, terms, "with tildone") },
];

async function play(persona: Persona, { longestMs, keep }: Terms, way: "alone" | "with tildone"): Promise<Cell> {
  const why = needs(persona);
  if (why !== undefined) return { status: "not run", why };
  const script = boundedScript(persona, piTool, () => child.kill("SIGINT"));
  await using box = await openSandbox({
    script,
    bare: way === "alone",
    settings: { retry: { enabled: true } }, // as pi is shipped
    flags: way === "alone" ? ["-ne"] : [],
  });
  layOut(persona, box.cwd);
  mkdirSync(join(box.root, "tildone"), { recursive: true });
  writeFileSync(join(box.root, "tildone", "config.json"), settingsFor(persona));
  const begun = performance.now();
  const child = box.start("-p", persona.asks);
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  const ending = await untilEnded(child, longestMs);
  const ms = performance.now() - begun;
  keep(box.model.requests);
  const counts = countsOf(box.model.requests);
  if (ending.status === "too long" && counts.requests <= RUNAWAY) return { status: "no end", afterMs: longestMs };
  const code = ending.status === "ended" ? ending.code : null;
  const said = spoken(code, way === "alone" ? undefined : await reasonIn(box.store));
  return { status: "ran", finished: isReallyDone(persona, box.cwd), ...said, ...counts, ms };
}
