import type { Reply } from "../core/react/index.ts";
import type { Receipt } from "../core/run/index.ts";
import type { CheckRound, Checks } from "./ports.ts";

/**
 * Rounds of checks under way. A round that the run no longer knows (the user held, spoke or interrupted) is killed;
 * a caller that waits for its answer gets it either way.
 */
export function createRounds(
  checks: Checks | undefined,
  ended: (round: string, receipts: readonly Receipt[], cut?: string) => Reply,
) {
  const running = new Map<
    string,
    { readonly controller: AbortController; readonly answer: PromiseWithResolvers<Reply> }
  >();

  return { run, answer, keepOnly, isRunning: (round: string | undefined) => round !== undefined && running.has(round) };

  function run(round: string, work: CheckRound): void {
    const controller = new AbortController();
    running.set(round, { controller, answer: Promise.withResolvers<Reply>() });
    if (!checks) {
      queueMicrotask(() => finish(round, [], "this host runs no checks"));
      return;
    }
    new Promise<readonly Receipt[]>((resolve) => resolve(checks.run(work, controller.signal))).then(
      (receipts) => finish(round, receipts),
      (error: unknown) =>
        finish(round, [], `the checks could not run: ${error instanceof Error ? error.message : String(error)}`),
    );
  }

  function finish(round: string, receipts: readonly Receipt[], cut?: string): void {
    const entry = running.get(round);
    if (!entry) return;
    running.delete(round);
    entry.answer.resolve(ended(round, receipts, cut));
  }

  function answer(round: string): Promise<Reply> {
    return running.get(round)?.answer.promise ?? Promise.resolve(CUT);
  }

  function keepOnly(round: string | undefined): void {
    for (const [id, entry] of running) {
      if (id === round) continue;
      running.delete(id);
      entry.controller.abort();
      entry.answer.resolve(CUT);
    }
  }
}

const CUT: Reply = {
  type: "refused",
  refusal: {
    code: "check_failed",
    message: "The checks were interrupted, so nothing was completed.",
  },
};
