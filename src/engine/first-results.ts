import { firstKey, untriedChecks } from "../core/continuation/index.ts";
import type { FirstResult, Run } from "../core/run/index.ts";
import type { Checks } from "./ports.ts";

/**
 * First results are found out one after the other while the agent works. A round of checks, a hold and the end of the run cut them short;
 * what was cut short is tried again when there is time.
 *
 *     idle --a check was not tried yet--> trying --found--> idle, and told
 *                                           +-- a round, a hold, the end --> idle
 */
export function createFirstResults(checks: Checks | undefined, found: (first: FirstResult) => unknown) {
  /** Nothing can be said about these: asked once, by this process. */
  const asked = new Set<string>();
  let trying: { readonly run: string; readonly controller: AbortController } | undefined;
  return { keepOn, drop };

  function keepOn(run: Run, isDriven: boolean): void {
    const mayTry = isDriven && run.status === "live" && !run.ledger.verifying && !run.ledger.held;
    if (trying && (!mayTry || trying.run !== run.id)) drop();
    if (!mayTry || trying || !checks?.first || run.ledger.guard === undefined) return;
    const check = untriedChecks(run).find((each) => !asked.has(nameOf(run, firstKey(each))));
    if (!check) return;
    const controller = new AbortController();
    const mine = { run: run.id, controller };
    trying = mine;
    const ended = (first: FirstResult | undefined) => {
      if (trying !== mine) return; // cut short
      trying = undefined;
      asked.add(nameOf(run, firstKey(check)));
      if (first) found(first);
      return !first;
    };
    void checks
      .first({ run, check }, controller.signal)
      .then(ended, () => ended(undefined))
      .then((isNext) => {
        if (isNext) keepOn(run, isDriven);
      });
  }

  function drop(): void {
    trying?.controller.abort();
    trying = undefined;
  }
}

const nameOf = ({ id }: Run, key: string): string => `${id} ${key}`;
