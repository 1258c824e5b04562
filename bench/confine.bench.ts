import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { allowedEnvironment, confinementFor, type Launch } from "../src/confine/index.ts";
import { holdLifeline } from "../src/machine/index.ts";
import type { Bench, Row } from "./harness.ts";

/** What a confined command may cost more than the same one as it is. */
const MORE_MS = 15;
/** Each time is the least of twenty already. */
const REPEAT = 5;

/** One short command, confined as a check's room is and as the agent's shell is, beside itself unconfined. */
export default async function ({ folder }: Bench): Promise<readonly Row[]> {
  const [root, state, temp] = ["work", "state", "temp"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [root, state, temp]) mkdirSync(path);
  const plain: Launch = { file: "/bin/sh", args: ["-c", ":"], cwd: root, env: allowedEnvironment(process.env) };
  const confined = async (network: boolean): Promise<Launch> => {
    const request = { root, state, temp, hidden: [state], network, env: process.env, home: homedir() };
    const confinement = await confinementFor(request);
    if (confinement.status === "unconfined") throw new Error(`${confinement.cause}. ${confinement.fix}`);
    return confinement.wrap(plain);
  };
  const [room, shell] = [await confined(false), await confined(true)];
  const bare: Launch = {
    ...plain,
    file: "bwrap",
    args: ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "/bin/sh", "-c", ":"],
  };
  const allowed = async () => (await timed(plain)) + MORE_MS;

  return [
    {
      name: "in a room, beside plain + 15 ms",
      run: () => timed(room),
      floor: allowed,
      target: { atMost: 1 },
      repeat: REPEAT,
    },
    {
      name: "with network, beside plain + 15 ms",
      run: () => timed(shell),
      floor: allowed,
      target: { atMost: 1 },
      repeat: REPEAT,
    },
    {
      name: "in a room, beside bare bubblewrap",
      run: () => timed(room),
      floor: () => timed(bare),
      target: { atMost: 2 },
      repeat: REPEAT,
    },
  ];
}

/** The least of a few: what else the machine does is no part of it. */
async function timed(launch: Launch): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 20; turn++) times.push(await once(launch));
  return Math.min(...times);
}

async function once({ file, args, cwd, env }: Launch): Promise<number> {
  const begun = performance.now();
  const child = spawn(file, [...args], {
    cwd,
    env: { ...env },
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  holdLifeline(child);
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0) throw new Error(`${file} exited with ${code}`);
  return performance.now() - begun;
}
