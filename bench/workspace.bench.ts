import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkspace } from "../src/checks/index.ts";
import type { Clock } from "../src/engine/index.ts";
import type { Bench, Row } from "./harness.ts";

const FILES = 50_000;
const CHANGED = 10;

/** The workspace at a boundary, beside `git status` on the same tree: each time ten files were written anew. */
export default async function ({ folder }: Bench): Promise<readonly Row[]> {
  const root = join(folder, "repository");
  const files = makeRepository(root);
  const env = { ...process.env };
  const cacheDirectory = join(folder, "cache");
  const resident = createWorkspace({ clock, env });
  await createWorkspace({ clock, env, cacheDirectory }).observe(root);
  let edition = 0;

  const change = () => {
    edition += 1;
    for (const path of files.slice(0, CHANGED)) writeFileSync(path, `edition ${edition}\n`.repeat(20));
  };
  const timed = (work: () => Promise<unknown>) => async () => {
    change();
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const floor = timed(() => gitStatus(root));

  return [
    {
      name: "boundary, 50,000 files, 10 changed",
      run: timed(() => resident.observe(root)),
      floor,
      target: { atMost: 1.3 },
    },
    {
      name: "the same in a process just started",
      run: timed(() => createWorkspace({ clock, env, cacheDirectory }).observe(root)),
      floor,
      target: { atMost: 1.5 },
    },
  ];
}

function makeRepository(root: string): readonly string[] {
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
  return files;
}

async function gitStatus(cwd: string): Promise<void> {
  const child = spawn("git", ["status"], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  await once(child, "close");
}

const clock: Clock = {
  now: () => Date.now(),
  setTimer: (at, fire) => {
    const handle = setTimeout(fire, at - Date.now());
    return { cancel: () => clearTimeout(handle) };
  },
};
