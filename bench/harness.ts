/**
 * Benchmarks compare: every row is measured beside a floor in the same run, turn by turn, so that a slow or busy machine
 * slows both. A benchmark is a file `bench/<name>.bench.ts` whose default export makes its rows:
 *
 *   export default async function (bench: Bench): Promise<readonly Row[]> {
 *     const store = await openStore({ path: join(bench.folder, "runs.db") });
 *     bench.defer(() => store.close());
 *     return [{
 *       name: "append one event durably", // 34 characters fit
 *       run: () => append(store),
 *       floor: () => insert(bare),        // the least that the same job can cost
 *       target: { atLeast: 0.7 },
 *     }];
 *   }
 *
 * `run` and `floor` are called in turn. A call is timed as a whole; one that returns a number timed itself, in
 * milliseconds. `atMost: 2` means at most twice the time of the floor, `atLeast: 0.7` at least 0.7 times its speed.
 */
export interface Row {
  readonly name: string;
  readonly run: Measured;
  readonly floor: Measured;
  readonly target: { readonly atMost: number } | { readonly atLeast: number };
  /** How often each is called; 15 unless said otherwise. */
  readonly repeat?: number;
  /** What the numbers are that `run` and `floor` return; milliseconds unless said otherwise. */
  readonly unit?: Unit;
}

export type Unit = "ms" | "s" | "B" | "tok" | "req" | "MiB" | "tx/s" | "conn" | "%";

export type Measured = () => unknown;

/** What a benchmark is given. */
export interface Bench {
  /** A folder of its own, removed afterwards. */
  readonly folder: string;
  /** `bench/<name>.ts` and what it imports as one file of JavaScript, as the package ships its short-lived processes. */
  bundled(name: string): Promise<string>;
  /** Called after the last row, the newest first. */
  defer(cleanUp: () => void): void;
}

/** A row with its numbers; they are medians. */
export interface Result {
  readonly name: string;
  readonly unit: Unit;
  readonly ms: number;
  readonly floorMs: number;
  readonly ratio: number;
  readonly target: Row["target"];
  readonly met: boolean;
  readonly samples: readonly { readonly ms: number; readonly floorMs: number }[];
}

const WARM_UP = 2;

/**
 * Rows are measured round by round, not one after the other: what slows the machine for a second hits all alike. `goesOn` is
 * asked before each round after the first, for a caller with little time.
 */
export async function measure(
  rows: readonly Row[],
  warmUp = WARM_UP,
  goesOn: (round: number) => boolean = () => true,
): Promise<readonly Result[]> {
  const samples = rows.map((): { ms: number; floorMs: number }[] => []);
  const rounds = Math.max(0, ...rows.map(repeatOf)) + warmUp;
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && !goesOn(round)) break;
    for (const [index, row] of rows.entries()) {
      if (round >= repeatOf(row) + warmUp) continue;
      const sample = await sampleOf(row, round % 2 === 0 ? "floor first" : "floor last");
      if (round >= warmUp) samples[index]!.push(sample);
    }
  }
  return rows.map((row, index) => resultOf(row, samples[index]!));
}

const repeatOf = ({ repeat = 15 }: Row): number => repeat;

async function sampleOf({ run, floor }: Row, order: "floor first" | "floor last") {
  if (order === "floor first") {
    const floorMs = await time(floor);
    return { ms: await time(run), floorMs };
  }
  const ms = await time(run);
  return { ms, floorMs: await time(floor) };
}

async function time(measured: Measured): Promise<number> {
  const begun = performance.now();
  const answer = measured();
  const own = answer instanceof Promise ? await answer : answer;
  return typeof own === "number" ? own : performance.now() - begun;
}

function resultOf({ name, target, unit = "ms" }: Row, samples: Result["samples"]): Result {
  const ms = median(samples.map((sample) => sample.ms));
  const floorMs = median(samples.map((sample) => sample.floorMs));
  const ratio = "atMost" in target ? ms / floorMs : floorMs / ms;
  const met = "atMost" in target ? ratio <= target.atMost : ratio >= target.atLeast;
  return { name, unit, ms, floorMs, ratio, target, met, samples };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Nineteen of twenty are no larger. */
export function p95(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0;
}

/** 80 columns at most. */
export function table(title: string, results: readonly Result[]): string {
  const head = line(title, "median", "floor", "ratio", "target", "");
  const body = results.map(({ name, unit, ms, floorMs, ratio, target, met }) =>
    line(
      `  ${name}`,
      amount(ms, unit),
      amount(floorMs, unit),
      ratio.toFixed(ratio < 100 ? 2 : 0),
      aim(target),
      met ? "met" : "MISSED",
    ),
  );
  return [head, ...body].join("\n");
}

const line = (name: string, ms: string, floor: string, ratio: string, target: string, verdict: string): string =>
  `${name.slice(0, 36).padEnd(36)}${ms.padStart(10)}${floor.padStart(10)}${ratio.padStart(7)}${target.padStart(9)} ${verdict}`;

const aim = (target: Row["target"]): string =>
  "atMost" in target ? `<= ${shortly(target.atMost)}` : `>= ${shortly(target.atLeast)}`;

const shortly = (target: number): string => String(Number(target.toFixed(2)));

const amount = (value: number, unit: Unit): string =>
  value >= 100_000
    ? `${(value / 1000).toFixed(0)} k${unit}`
    : `${value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3)} ${unit}`;
