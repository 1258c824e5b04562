import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { decisionText } from "../../src/core/run/index.ts";
import {
  asCommand,
  type Call,
  PERSONAS,
  type Persona,
  type PersonaCall,
  type Script,
  type ScriptedModel,
  type Step,
  scriptOf,
} from "../../src/testing/index.ts";
import type { Sandbox } from "./sandbox.ts";
import { isMain } from "./script.ts";

/** A real host that personas can play in. */
export interface PersonaStage {
  /** A few of each kind: the others differ in what the core sees, not in what a host does. */
  readonly played: readonly string[];
  readonly sandbox: () => Sandbox;
  readonly model: () => ScriptedModel;
  readonly shell: (command: string) => Call;
  /** How the host is called for what is no command; made anew for each persona, as it may remember. */
  readonly tools: () => (call: PersonaCall) => Call;
  /** What the host makes of the calls of one answer, if not the same. */
  readonly merge?: (calls: readonly Call[]) => readonly Call[];
  /** What the user's file of settings says beside the checks. */
  readonly settings?: object;
  /** Plays it to its end; what the host printed. */
  readonly play: (persona: Persona) => Promise<string>;
}

/** Models that lie or run away, in the real host: the verdicts are those of the engine alone. */
export function personaSuite(stage: PersonaStage): void {
  test.each(stage.played)("a model that %s", async (name) => {
    const persona = PERSONAS.find((each) => each.name === name)!;
    layOut(stage, persona);
    stage.model().play(scriptFor(stage, persona));
    const printed = await stage.play(persona);
    const [run] = await stage.sandbox().runs();
    const { decision, spent } = run!.ledger;
    const { reason, says = "", nudges } = persona.ends;
    expect(decision, printed).toMatchObject({ type: "stop", reason });
    expect(decisionText(decision!)).toContain(says);
    expect(spent.continuations).toBeGreaterThanOrEqual(nudges.atLeast);
    expect(spent.continuations).toBeLessThanOrEqual(nudges.atMost);
  });
}

function layOut({ sandbox, settings }: PersonaStage, { project, checks, touches = [] }: Persona): void {
  for (const [path, content] of Object.entries(project)) sandbox().write(`project/${path}`, content);
  const author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  spawnSync("git", ["-C", sandbox().project, "add", "-A"]);
  spawnSync("git", ["-C", sandbox().project, ...author, "commit", "-qm", "the project"]);
  sandbox().write(
    "home/.config/tildone/config.json",
    JSON.stringify({ ...settings, checks: { run: checks, touches } }),
  );
}

function scriptFor({ shell, tools, merge = (calls) => calls }: PersonaStage, persona: Persona): Script {
  const toolOf = tools();
  const play = scriptOf(persona, (call) => {
    const command = asCommand(call);
    return command === undefined ? toolOf(call) : shell(command);
  });
  if (typeof play !== "function") throw new Error("a persona answers what it is asked");
  return (request, count): Step => {
    if (!isMain(request)) return { text: "An aside" };
    const step = play(request, count);
    return step.calls ? { ...step, calls: merge(step.calls) } : step;
  };
}
