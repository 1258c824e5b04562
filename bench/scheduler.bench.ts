import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Bench, Row } from "./harness.ts";
import { installPeers } from "./peers.ts";

/** Growth from 100 to 100,000 calls with an exponent of at most 1.15: a thousand times the calls, 2.8 times as much each. */
const GROWTH = 1_000 ** 0.15;

export default async function (bench: Bench): Promise<readonly Row[]> {
  const file = await bench.bundled("scheduler-case");
  const peers = installPeers();

  /** Each case is a process of its own: none pays for another's garbage. */
  const measured =
    (name: string, calls: number, repeats: number, ...more: readonly string[]) =>
    (): number =>
      Number(
        execFileSync(
          process.execPath,
          ["--expose-gc", "--no-warnings", file, name, String(calls), String(repeats), ...more],
          {
            encoding: "utf8",
            stdio: ["ignore", "pipe", "ignore"],
          },
        ),
      );
  const onSqlite = (name: string, calls: number, repeats: number) => () =>
    measured(name, calls, repeats, join(bench.folder, `${randomUUID()}.db`))();

  const alone: readonly Row[] = [
    {
      name: "100,000 calls: 1,000 times 100",
      run: measured("mean", 100_000, 3),
      floor: () => 1_000 * measured("mean", 100, 1_000)(),
      target: { atMost: GROWTH },
      repeat: 3,
    },
    {
      name: "kept per call after dispose",
      run: measured("kept", 10_000, 5),
      floor: () => 100,
      target: { atMost: 1 },
      unit: "B",
      repeat: 1,
    },
    {
      name: "10,000 calls: SQLite and memory",
      run: onSqlite("ours on sqlite", 10_000, 15),
      floor: measured("ours", 10_000, 15),
      target: { atMost: 2 },
      repeat: 3,
    },
    {
      name: "1,000 approvals: SQLite and memory",
      run: onSqlite("ours asks on sqlite", 1_000, 15),
      floor: measured("ours asks", 1_000, 15),
      target: { atMost: 5 },
      repeat: 3,
    },
  ];
  if (peers === undefined) return alone;
  return [
    {
      name: "10,000 calls: p-queue",
      run: measured("ours", 10_000, 15),
      floor: measured("p-queue", 10_000, 15, peers),
      target: { atMost: 3 },
      repeat: 3,
    },
    {
      name: "10,000 calls: gemini-cli-core",
      run: measured("ours", 10_000, 15),
      floor: measured("peer", 10_000, 1, peers),
      target: { atLeast: 50 },
      repeat: 1,
    },
    {
      name: "1,000 approvals: gemini-cli-core",
      run: measured("ours asks", 1_000, 15),
      floor: measured("peer asks", 1_000, 3, peers),
      target: { atLeast: 20 },
      repeat: 1,
    },
    ...alone,
  ];
}
