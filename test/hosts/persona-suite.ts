import { spawnSync } from "node:child_process";
import { beforeEach, expect, inject, test } from "vitest";
import { decisionText } from "../../src/core/words/index.ts";
import {
  asCommand,
  type Call,
  PERSONAS,
  type Persona,
  type PersonaCall,
  type Script,
  scriptOf,
} from "../../src/testing/index.ts";
import type { RealHost } from "./hosts.ts";
import type { Sandbox } from "./sandbox.ts";
import { isMain } from "./script.ts";
import { useStage } from "./stage.ts";

/** A few of each kind: the others differ in what the core sees, not in what a host does. */
const PLAYED = [
  "marks everything done without work",
  "edits the test instead of the code",
  "makes the check succeed whatever happens",
  "passes once and then breaks it",
  "says ok",
  "alternates two calls",
  "reads something new for ever",
];

/** Models that lie or run away, in the real host: the verdicts are those of the engine alone. */
export function personaSuite(host: RealHost): void {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`${host.name} skipped: ${binary.skipped}`, () => {});
    return;
  }
  const stage = useStage(`${host.name}-persona`);
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
  });

  test.each(PLAYED)("a model that %s", async (name) => {
    const persona = PERSONAS.find((each) => each.name === name)!;
    layOut(stage.sandbox, persona);
    stage.model.play(played(persona, host));
    const { out, err } = await host.start(stage.sandbox, binary.path, stage.model.url, { prompt: persona.asks });
    const [run] = await stage.sandbox.runs();
    const { decision, spent } = run!.ledger;
    const { reason, says = "", nudges } = persona.ends;
    expect(decision, out + err).toMatchObject({ type: "stop", reason });
    expect(decisionText(decision!)).toContain(says);
    expect(spent.continuations).toBeGreaterThanOrEqual(nudges.atLeast);
    expect(spent.continuations).toBeLessThanOrEqual(nudges.atMost);
  });
}

function layOut(sandbox: Sandbox, { project, checks }: Persona): void {
  for (const [path, content] of Object.entries(project)) sandbox.write(`project/${path}`, content);
  const author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  spawnSync("git", ["-C", sandbox.project, "add", "-A"]);
  spawnSync("git", ["-C", sandbox.project, ...author, "commit", "-qm", "the project"]);
  sandbox.write("home/.config/tildone/config.json", JSON.stringify({ checks: { run: checks } }));
}

function played(persona: Persona, host: RealHost): Script {
  const toolOf = (call: PersonaCall): Call => {
    const command = asCommand(call);
    return command === undefined ? host.ours(call.tool, call.input) : host.shell(command);
  };
  const play = scriptOf(persona, toolOf);
  if (typeof play !== "function") throw new Error("a persona answers what it is asked");
  return (request, count) => (isMain(request) ? play(request, count) : { text: "An aside" });
}
