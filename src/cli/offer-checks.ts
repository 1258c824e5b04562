import { proposedChecks } from "../core/continuation/index.ts";
import type { Run } from "../core/run/index.ts";
import { openTodos } from "../core/todo/index.ts";
import { namedChecks } from "../core/words/index.ts";
import { openRun } from "../engine/index.ts";
import { withStore } from "./home.ts";
import type { Io } from "./io.ts";
import { runProposedChecks } from "./run-proposed-checks.ts";
import { wrap } from "./wrap.ts";

/**
 * At the end of a run: the checks that the agent proposed and that did not run. Where you sit at the terminal you are asked whether
 * they run now; elsewhere the command is named. Gives the exit code of the run as it is judged afterwards.
 */
export async function offerChecks(run: Run | undefined, exit: number, io: Io): Promise<number> {
  const proposed = run ? proposedChecks(run) : [];
  if (!run || proposed.length === 0) return exit;
  const count = proposed.length === 1 ? "1 proposed check" : `${proposed.length} proposed checks`;
  const isOne = proposed.length === 1;
  const stands = proposed.some(({ mayRun }) => mayRun)
    ? `${isOne ? "proves" : "prove"} nothing yet, because ${isOne ? "it" : "they"} did not run or passed before the work, too`
    : `${isOne ? "has" : "have"} not run`;
  io.out(wrap(`${count} ${stands}: ${namedChecks(proposed)}`, io.columns));
  if (openTodos(run.plan.todos).length === 0 && (await isWanted(`Run ${count}?`, io))) {
    await runProposedChecks(run.id, io);
    const { outcomeOf } = await import("../agent/supervisor/index.ts");
    return withStore(io, (store) => outcomeOf(openRun(store.log, run.id).run).exit);
  }
  io.out(`Run ${proposed.length === 1 ? "it" : "them"} with: tildone accept --checks ${run.id}`);
  return exit;
}

/** A clear yes or no; any other word asks again, and Ctrl-C or the end of the input is no. */
async function isWanted(question: string, io: Io): Promise<boolean> {
  if (!io.isInteractive || io.signal.aborted) return false;
  for (let isSudden = true; ; isSudden = false) {
    const answer = (await io.ask(`${question} y/n: `, { isSudden }))?.trim().toLowerCase();
    if (answer === undefined || answer === "n" || answer === "no") return false;
    if (answer === "y" || answer === "yes") return true;
    io.out("Type y or n.");
  }
}
