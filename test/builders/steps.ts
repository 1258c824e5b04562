import { Session } from "node:inspector/promises";

/**
 * Counts how many blocks of the files matching `file` run while some work is done: a measure of cost that is the same on
 * every machine and under every load. What the platform does inside one call (a sort, a copy) counts as nothing.
 * To be called before the code in question ran: what was optimised earlier is no longer counted.
 */
export async function countSteps(file: RegExp): Promise<Steps> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const take = async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const functions = result.filter(({ url }) => file.test(url)).flatMap((script) => script.functions);
    return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
  };
  return async (work) => {
    await take(); // forgets what ran before
    await work();
    return take();
  };
}

export type Steps = (work: () => unknown) => Promise<number>;

/** 1 when the cost of `work(n)` grows with n, 2 when it grows with its square. */
export async function growth(
  steps: Steps,
  work: (n: number) => unknown,
  [few, many]: readonly [number, number],
): Promise<number> {
  const cost = async (n: number) => steps(() => work(n));
  return Math.log((await cost(many)) / (await cost(few))) / Math.log(many / few);
}
