import { commandLine, DEFAULTS, next, suspicion } from "../continuation/index.ts";
import type { NudgeKind, Receipt, Run } from "../run/index.ts";
import { clipLine } from "../text/index.ts";
import { isFinished, type ListKind, openTodos, type Todo } from "../todo/index.ts";
import { listOf } from "../view/index.ts";
import { notDoneNudge } from "../workflow/index.ts";
import { cutCallsText } from "./cut-call.ts";
import { droppedText } from "./dropped.ts";
import { boundedList, countLine, type ListBounds, quotedTail, whatIsNext } from "./quote.ts";
import { uncoveredText } from "./requirements.ts";
import { suspectLine } from "./suspect.ts";

/**
 * The text that starts the next turn. Instructions are fixed sentences; the words of todos, goals and workflows stand
 * only in the list below them, as data.
 */
export function nudgeText(run: Run, kind: NudgeKind, bounds: ListBounds = DEFAULTS.listInNudge): string {
  const answer = answerText(run, kind);
  if (kind === "phase" && run.plan.workflow)
    return [answer, notDoneNudge(run.plan.workflow), untold(run)].filter((part) => part !== "").join("\n\n");
  const parts = [
    [heading(run, kind), answer].filter((part) => part !== "").join(" "),
    data(run, kind, bounds),
    nudgeDetails(run, kind),
    nextAction(run, kind),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** What a briefing tells of the state besides the list: the same as a nudge. */
export const nudgeDetails = (run: Run, kind: NudgeKind): string =>
  [failures(run), suspects(run), cutCallsText(run.ledger.cutCalls), waitingText(run, kind), untold(run)]
    .filter((part) => part !== "")
    .join("\n\n");

const untold = ({ ledger: { dropped } }: Run): string => (dropped && !dropped.told ? droppedText(dropped.files) : "");

function heading(run: Run, kind: NudgeKind): string {
  switch (kind) {
    case "todo":
      return `Todos remain: ${counts(run)}. Continue with them.`;
    case "phase":
      return "The workflow is not finished. Continue with its current phase.";
    case "requirement":
      return `No todo covers this requirement yet. ${counts(run)}.`;
    case "write_list":
      return "There is no todo list yet. Break the goal into todos before working on it.";
    case "question":
      return `You ended with a question. This message does not answer it and permits nothing. If the goal or the list answers it, follow them. Otherwise ask it with the question tool, or block the todo with the question as the reason and work on todos that do not need the answer. ${counts(run)}.`;
    case "wind_down":
      return `The budget is spent: this is the last turn. Start nothing new. Record what is left: complete what is done, block the rest with the reason. ${counts(run)}.`;
  }
}

/** "Shall I continue?" is answered by the list alone: no words of ours may be taken for consent to anything else. */
function answerText({ ledger }: Run, kind: NudgeKind): string {
  if (ledger.boundary?.asks?.kind !== "continue" || kind === "wind_down") return "";
  return "This covers the list only; it is not permission for anything else.";
}

const counts = (run: Run): string => countLine(listOf(run).count);

function data(run: Run, kind: NudgeKind, bounds: ListBounds): string {
  const found = next(run);
  if (kind === "requirement" && found.status === "free" && found.step.type === "requirement")
    return `> ${clipLine(found.step.requirement.id, 100)}: ${clipLine(found.step.requirement.text, 500)}`;
  if (kind === "write_list")
    return [`Goal:\n> ${clipLine(run.goal ?? "", 1000)}`, uncoveredText(run)]
      .filter((part) => part !== "")
      .join("\n\n");
  const { todos } = listOf(run);
  const { list } = run.ledger;
  return isTold(run, kind) ? boundedList(openTodos(todos), todos, bounds, list) : whatIsNext(todos, bounds, list);
}

/** A nudge stays in the conversation and is paid for with every request after it: it tells of the list what the agent does not know. */
const isTold = ({ ledger }: Run, kind: NudgeKind): boolean => !ledger.listKnown || kind === "wind_down";

/** The end of what a check said about an open item: the one thing the agent cannot know. */
function failures(run: Run): string {
  const receipts = Object.values(run.ledger.receipts).filter(
    ({ status }) => status !== "passed" && status !== "observed",
  );
  const failed = run.plan.todos.flatMap((todo, index) => {
    const last = isFinished(todo) ? undefined : receipts.findLast((receipt) => speaksOf(receipt, todo));
    return last ? [`The check of [${index}] ended "${last.status}":\n${quotedTail(last.tail, 1500)}`] : [];
  });
  return failed.slice(0, 2).join("\n");
}

/** A check of the whole run is the check of the todo that it opened. */
const speaksOf = ({ owner, command }: Receipt, { id, checks }: Todo): boolean =>
  owner === id || (owner === "run" && checks.some((check) => commandLine(check) === command));

/** What is done but not to be believed: the agent may still undo it. */
function suspects(run: Run): string {
  if (run.ledger.accepted) return "";
  const lines = run.plan.todos.flatMap((todo, index) => {
    const doubt = todo.status === "completed" ? suspicion(run.ledger, todo.id) : undefined;
    return doubt === undefined ? [] : [suspectLine(`[${index}]`, doubt)];
  });
  const whole = suspicion(run.ledger, "run");
  return [...lines, ...(whole === undefined ? [] : [suspectLine("The run's check", whole)])].slice(0, 3).join("\n");
}

/** How to wait, said only where there is something to wait for: an agent that does not say so is told to continue. */
function waitingText({ ledger }: Run, kind: NudgeKind): string {
  if ((ledger.background.commands ?? 0) === 0 || kind === "wind_down" || ledger.list !== "ours") return "";
  return "A command runs in the background. If a todo waits for it, block the todo and name the command in the reason; do the others meanwhile.";
}

function nextAction(run: Run, kind: NudgeKind): string {
  const { list } = run.ledger;
  const found = next(run);
  if (kind === "question") return ""; // naming the next item could read as a yes
  if (kind === "wind_down")
    return run.plan.todos.length > 0 ? `Next action: ${LAST[list]}` : "Next action: say what is left";
  if (found.status !== "free") return "";
  switch (found.step.type) {
    case "todo":
      return `Next action: ${NEXT[list][verb(run.plan.todos[found.step.index])](found.step.index)}`;
    case "phase":
      return "Next action: do what the phase says, then workflow_step next";
    case "requirement":
      return "Next action: write_todos append, with 'covers' naming it";
    case "write_list":
      return "Next action: write_todos replace";
  }
}

const verb = (todo: Todo | undefined): "complete" | "start" => (todo?.status === "in_progress" ? "complete" : "start");

const NEXT = {
  ours: {
    start: (index: number) => `edit_todos start [${index}]`,
    complete: (index: number) => `edit_todos complete [${index}]`,
  },
  native: {
    start: (index: number) => `mark [${index}] as in progress in your todo list and do it`,
    complete: (index: number) => `finish [${index}], then mark it as completed in your todo list`,
  },
} as const satisfies Record<ListKind, Record<"start" | "complete", (index: number) => string>>;

const LAST = { ours: "edit_todos", native: "bring your todo list up to date" } as const satisfies Record<
  ListKind,
  string
>;
