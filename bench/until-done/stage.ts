import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Persona, Script, ScriptedModel } from "../../src/testing/index.ts";
import type { Cell, Shown, Terms } from "./cell.ts";
import { watchMemory } from "./memory.ts";
import { isOnScreen } from "./personas.ts";
import { boundedScript, countsOf, isDoneByNow, isReallyDone, type Means, needs, startsAgent } from "./play.ts";
import { shownBy, type Tools } from "./tools.ts";
import { untilEnded } from "./until-ended.ts";
import { RUNAWAY } from "./verdict.ts";

/** A system made ready for one play. */
export interface Setting {
  readonly model: ScriptedModel;
  readonly project: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** tildone's verdict, where tildone is in it; or what a goal mode says of its goal in what it printed. */
  shows?(output: string): Promise<Shown | undefined>;
}

/** Has something done when the play is over, or could not begin, in this order. */
export type Defer = (cleanUp: () => unknown) => void;

export interface Stage {
  /** Asked for once a play. */
  tools(): Tools;
  readonly means?: Means;
  setUp(persona: Persona, script: Script, defer: Defer): Promise<Setting>;
}

/** Plays a persona on a system: one process in folders of its own, started with what the user asks and left alone. */
export async function playOn(stage: Stage, persona: Persona, terms: Terms): Promise<Cell> {
  const { longestMs, quietMs, signal, watchesMemory, keep } = terms;
  const why = needs(persona, stage.means);
  if (why !== undefined) return { status: "not run", why, cause: "no fit" };
  let child: ChildProcess | undefined;
  let folder: string | undefined;
  const tools = stage.tools();
  const { script, inWait } = boundedScript(persona, {
    toolOf: tools.call,
    abort: () => child?.kill("SIGINT"),
    means: stage.means,
    isDone: () => folder !== undefined && isDoneByNow(persona, folder),
  });
  const cleanUps: (() => unknown)[] = [];
  const end = () => endGroup(child);
  try {
    const setting = await stage.setUp(persona, script, (cleanUp) => cleanUps.push(cleanUp));
    const { model, project, program, args, env } = setting;
    folder = project;
    const begun = performance.now();
    const output = join(dirname(project), "output.txt");
    const written = openSync(output, "w");
    child = spawn(program, args, { cwd: project, env, stdio: ["ignore", written, written], detached: true });
    closeSync(written);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    const memory = watchesMemory && child.pid !== undefined ? watchMemory(child.pid) : undefined;
    const ending = await untilEnded(child, { longestMs, quietMs, deeds: () => model.requests.length });
    const ms = performance.now() - begun;
    memory?.stop();
    const printed = readFileSync(output, "utf8");
    keep({ requests: model.requests, output: printed.slice(-OUTPUT_KEPT) });
    const counts = countsOf(model.requests);
    const finished = isReallyDone(persona, project);
    if (ending.status === "too long" && counts.requests <= RUNAWAY)
      return { ...ending, status: "no end", finished, requests: counts.requests, nudges: counts.nudges };
    if (counts.requests === 0)
      return { status: "not run", why: `it ended without asking the model: ${lastLine(output)}`, cause: "luck" };
    const besides = startsAgent(persona) ? { besides: 1, inWait: inWait() } : afterStop(persona, stage.means);
    const exit = ending.status === "ended" ? ending.code : null;
    const shows = (await setting.shows?.(printed)) ?? (tools.list && shownBy(tools.list(), exit));
    return {
      status: "ran",
      finished,
      exit,
      ...(shows && { shows }),
      ...counts,
      ...besides,
      ms,
      ...(memory && { memory: memory.peakMiB() }),
    };
  } finally {
    signal.removeEventListener("abort", end);
    end();
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

const afterStop = (persona: Persona, means: Means = {}): { besides?: number } =>
  isOnScreen(persona) && means.screen ? { besides: means.screen.asksAfterStop } : {};

const OUTPUT_KEPT = 4000;
const lastLine = (path: string): string => readFileSync(path, "utf8").trimEnd().split("\n").at(-1)!.slice(0, 300);

/** Nothing that it started outlives the play. */
function endGroup(child: ChildProcess | undefined): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
