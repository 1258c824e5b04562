import type { FirstResult, Proof, Run } from "../run/index.ts";
import { clipLine } from "../text/index.ts";

/** Said once, when it is found out that a check does not work in a clean room. */
export const placeText = ({ command }: Pick<FirstResult, "command">): string =>
  `The check "${clipLine(command, 100)}" passed in your project before the work began, but not in a clean copy of it. ` +
  "Its result in the project counts, unless a file that judges it changes.";

/** Said once a run: what keeps checks from being confined. */
export const unconfinedText = (why: string): string =>
  `Checks run in a clean copy of your project, but not confined: ${why}${/[.!?]$/.test(why) ? "" : "."}`;

/** For receipts and reports. */
export const beforeText = ({ status }: Pick<FirstResult, "status">): string =>
  status === "passed" ? "this check passed before the work began too" : "this check did not pass before the work began";

/** Why checks of this run were not confined. */
export const unconfinedIn = ({ ledger }: Run): readonly string[] => [
  ...new Set(
    [...Object.values(ledger.firsts ?? {}), ...Object.values(ledger.receipts)].flatMap(({ proof }) =>
      unconfined(proof),
    ),
  ),
];

export const unconfined = (proof: Proof | undefined): readonly string[] =>
  proof?.unconfined === undefined ? [] : [proof.unconfined];

/** What was said of the checks of a run, for those who look later. */
export const checkRemarks = (run: Run): readonly string[] => [
  ...Object.values(run.ledger.firsts ?? {}).flatMap((first) => (first.decides === "place" ? [placeText(first)] : [])),
  ...unconfinedIn(run).map(unconfinedText),
];
