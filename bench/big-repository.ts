import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../src/engine/index.ts";

const FILES = 50_000;
const CHANGED = 10;

/** A repository of 50,000 files, of which ten are written anew each time something is measured. */
export function makeBigRepository(root: string) {
  const files = Array.from({ length: FILES }, (_, index) =>
    join(root, `package${index % 50}`, `directory${((index / 50) % 20) | 0}`, `file${index}.ts`),
  );
  for (const path of new Set(files.map((file) => join(file, "..")))) mkdirSync(path, { recursive: true });
  for (const [index, path] of files.entries()) writeFileSync(path, `export const number = ${index};\n`.repeat(20));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], { cwd: root });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "all");
  git("status"); // writes the index anew, so that no file looks as young as it
  let edition = 0;

  const change = () => {
    edition += 1;
    for (const path of files.slice(0, CHANGED)) writeFileSync(path, `edition ${edition}\n`.repeat(20));
  };
  /** The time that the work takes after ten changes. */
  const timed = (work: () => Promise<unknown>) => async () => {
    change();
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  return { timed, status: timed(() => ran("git", ["status"], root)) };
}

export async function ran(program: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} exited with ${code}`);
}

export const clock: Clock = {
  now: () => Date.now(),
  setTimer: (at, fire) => {
    const handle = setTimeout(fire, at - Date.now());
    return { cancel: () => clearTimeout(handle) };
  },
};
