import { checkKey, commandLine } from "../core/continuation/index.ts";
import type { Receipt } from "../core/run/index.ts";
import type { CheckRound, Checks } from "../engine/index.ts";

/** Checks that end when the test says so. Each round waits until `pass` or `fail`; one that is cut short never ends. */
export interface FakeChecks extends Checks {
  /** The commands of every round that was begun. */
  readonly begun: (readonly string[])[];
  readonly cut: number;
  /** The name of the fingerprint that the next guard gets; undefined: nothing is protected. */
  guards: string | undefined;
  pass(): void;
  /** The named commands fail with this output, the others pass. */
  fail(commands: readonly string[], tail: string): void;
  /** The round cannot be run at all. */
  break(message: string): void;
}

/** Checks that end as the test says. */
export function createFakeChecks(now: () => number): FakeChecks {
  const begun: string[][] = [];
  let cut = 0;
  let running: (PromiseWithResolvers<readonly Receipt[]> & { readonly work: CheckRound }) | undefined;

  const checks: FakeChecks = {
    begun,
    guards: undefined,
    get cut() {
      return cut;
    },
    run(work, signal) {
      const round = Promise.withResolvers<readonly Receipt[]>();
      running = { ...round, work };
      begun.push(work.checks.map(({ check }) => commandLine(check)));
      signal.addEventListener("abort", () => {
        cut++;
        running = undefined;
      });
      return round.promise;
    },
    guard: async () => checks.guards,
    pass: () => end([], ""),
    fail: end,
    break(message) {
      taken().reject(new Error(message));
    },
  };
  return checks;

  function end(failing: readonly string[], tail: string): void {
    const { resolve, work } = taken();
    resolve(
      work.checks.map(({ owner, check }): Receipt => {
        const command = commandLine(check);
        const status = failing.includes(command) ? "failed" : "passed";
        return {
          key: checkKey(owner, check),
          owner,
          command,
          status,
          exit: status === "failed" ? 1 : 0,
          durationMs: 1,
          workspace: work.run.ledger.workspace,
          digest: command,
          tail: status === "failed" ? tail : "",
          askedBy: "test",
          suspect: false,
          at: now(),
        };
      }),
    );
  }

  function taken() {
    if (!running) throw new Error("no round of checks is under way");
    const round = running;
    running = undefined;
    return round;
  }
}
