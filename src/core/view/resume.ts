import { next } from "../continuation/index.ts";
import { stopRow } from "../reason/index.ts";
import { type BudgetUse, budgetUse, type Run } from "../run/index.ts";
import { whatItWaitsFor } from "../todo/index.ts";

/** The command that continues a run which stopped for this reason, ready to be pasted. */
export function resumeCommand(run: Run, reason: string, more = ""): string {
  const command = stopRow(reason)
    .resume.replaceAll("<run>", run.id)
    .replaceAll("<n>", moreOf(run, reason))
    .replaceAll("<index>", nextIndexes(run));
  return more === "" ? command : command.replaceAll(`--resume ${run.id}`, `--resume ${run.id} ${more}`);
}

/** Why a person's word alone does not continue the run, and what does: typed inside the host, or as a command of its own. */
export function resumeRefusal(
  run: Run,
  { reason, detail }: { reason: string; detail?: string },
  where: "host" | "shell",
): string {
  const use = useOf(run, reason);
  const why = use
    ? `The budget is spent: ${amount(use, use.used)} of ${amount(use, use.limit)} ${use.name}.`
    : `${stopRow(reason).says}${detail === undefined ? "" : ` (${detail})`}`;
  if (reason === "blocked") return `${why} ${wayOutOf(run)}`;
  return where === "host" && stopRow(reason).next !== ""
    ? `${why} ${stopRow(reason).next}`
    : `${why} Continue with: ${resumeCommand(run, reason)}`;
}

/** What is still stuck when nothing is blocked any more needs something that was given up. */
function wayOutOf(run: Run): string {
  const { todos } = run.plan;
  const stuck = next(run);
  const given = stuck.status === "stuck" ? stuck.todos[0] : undefined;
  if (!given) return `Continue with: ${resumeCommand(run, "blocked")}`;
  const needed = todos.findIndex(({ id, status }) => given.needs.includes(id) && status === "abandoned");
  if (needed < 0) return `${whatItWaitsFor(given, todos)}. Change the list with: tildone todo list --run ${run.id}`;
  return `Reopen what it needs, or drop it: tildone todo reopen ${needed} --run ${run.id}`;
}

function useOf({ ledger }: Run, reason: string): BudgetUse | undefined {
  return budgetUse(ledger).find(({ name }) => reason === `budget_${name}`);
}

/** As much again as was allowed, on top of what is used; `extend` adds, the flags name the new total. */
function moreOf(run: Run, reason: string): string {
  const use = useOf(run, reason);
  if (!use) return "<n>";
  if (use.name === "continuations") return String(Math.max(1, Math.ceil(use.used)));
  const total = use.used + Math.max(use.limit, use.used);
  return use.name === "cost" ? (Math.ceil(total * 100) / 100).toFixed(2) : String(Math.max(1, Math.ceil(total)));
}

const amount = ({ name }: BudgetUse, value: number): string =>
  name === "cost" ? `$${value.toFixed(2)}` : String(Math.round(value * 10) / 10);

/** The todo that waits for a release. */
function nextIndexes(run: Run): string {
  const found = next(run);
  return found.status === "free" && found.step.type === "todo" ? String(found.step.index) : "<index>";
}
