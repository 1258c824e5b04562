import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Call, type Persona, type PersonaCall, type Script, scriptOf } from "../../src/testing/index.ts";
import { RUNAWAY } from "./cell.ts";

/** The persona's script, bounded: whoever asks on and on gets the same last words and is counted. */
export function boundedScript(persona: Persona, toolOf: (call: PersonaCall) => Call): Script {
  const script = scriptOf(persona, toolOf) as Exclude<Script, readonly unknown[]>;
  return (request, count) => {
    if (count > RUNAWAY) return { status: 400, message: "the benchmark ends this runaway" };
    const step = script(request, count);
    // An hour of a rate limit is a second here.
    return step.headers?.["retry-after"] ? { ...step, headers: { "retry-after": "1" } } : step;
  };
}

export function layOut(persona: Persona, project: string): void {
  for (const [path, text] of Object.entries(persona.project)) {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (text.startsWith("#!")) chmodSync(file, 0o755);
  }
}

/** Whether the work is really done: the human's check, run by the benchmark itself on the persona's own tests. */
export function isReallyDone(persona: Persona, project: string, env: NodeJS.ProcessEnv): boolean {
  const tests = Object.entries(persona.project).filter(([path]) => /test/.test(path));
  for (const [path, text] of tests) writeFileSync(join(project, path), text);
  return persona.checks.every((check) => spawnSync("/bin/sh", ["-c", check], { cwd: project, env }).status === 0);
}

export const characters = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);
