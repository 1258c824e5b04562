import { type Measured, totalsOf } from "./totals.ts";

/** Two lines for the front page: each host alone, and the same host under `tildone run`, by the exit code that a script sees. */
export function headline(results: Measured): string {
  const totals = totalsOf(results, "process").filter(({ ran }) => ran > 0);
  const share = (system: string) => {
    const total = totals.find((each) => each.system === system);
    return total && `${total.good}/${total.ran}`;
  };
  const pairs = Object.entries(results.systems).flatMap(([system, { family }]) => {
    const [alone = ""] = Object.entries(results.systems).find(([, other]) => other.family === family) ?? [];
    const [before, after] = [share(alone), share(system)];
    return system.startsWith("tildone run --host") && before && after
      ? [`${alone} ${before}, \`${system}\` ${after}`]
      : [];
  });
  return `Cells whose exit code tells the truth: ${pairs.join("; ")}. Not every system has the same cells.`;
}
