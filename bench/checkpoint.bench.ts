import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCheckpoints } from "../src/checkpoints/index.ts";
import type { Checkpoint } from "../src/core/run/index.ts";
import { clock, makeBigRepository, ran } from "./big-repository.ts";
import type { Bench, Row } from "./harness.ts";

const FEW = 30;

/** A checkpoint beside `git status` of the same folder, in a large repository and in a small one. */
export default async function ({ folder }: Bench): Promise<readonly Row[]> {
  const directory = join(folder, "state");
  const open = () => createCheckpoints({ clock, env: process.env, directory });
  const resident = open();
  let [count, last] = [0, undefined as Checkpoint | undefined];
  const take = async (root: string, store = resident) => {
    const after = last && { after: last.tree };
    const taken = await store.take({ cwd: root, run: "bench", id: `c${++count}`, ...after });
    if (taken.status !== "taken") throw new Error(taken.why);
    last = taken.checkpoint;
  };

  const large = join(folder, "large");
  const { timed, status } = makeBigRepository(large);
  const begun = performance.now();
  await take(large);
  console.log(`first checkpoint of 50,000 files: ${((performance.now() - begun) / 1000).toFixed(1)} s`);

  const small = join(folder, "small");
  const change = makeSmallRepository(small);
  const after = (work: () => Promise<unknown>) => async () => {
    change();
    const at = performance.now();
    await work();
    return performance.now() - at;
  };
  return [
    {
      name: "checkpoint, 50,000 files, 10 changed",
      run: timed(() => take(large)),
      floor: status,
      target: { atMost: 1.5 },
    },
    {
      name: "the same in a process just started",
      run: timed(() => take(large, open())),
      floor: status,
      target: { atMost: 1.7 },
    },
    {
      name: `checkpoint of ${FEW} files`,
      run: after(() => take(small)),
      floor: after(() => ran("git", ["status"], small)),
      target: { atMost: 8 },
    },
  ];
}

function makeSmallRepository(root: string): () => void {
  mkdirSync(join(root, "src"), { recursive: true });
  for (let at = 0; at < FEW; at++) writeFileSync(join(root, "src", `file${at}.ts`), `export const a = ${at};\n`);
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "-A"], { cwd: root });
  execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@localhost", "commit", "-qm", "all"], { cwd: root });
  let edition = 0;
  return () => writeFileSync(join(root, "src/file0.ts"), `export const a = "${edition++}";\n`);
}
