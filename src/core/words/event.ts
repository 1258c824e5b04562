import { OUTCOMES } from "../call/index.ts";
import { EVENTS, type Receipt, type Run, type RunEvent } from "../run/index.ts";
import { clipLine, exactLine } from "../text/index.ts";
import { attemptText } from "./attempt.ts";
import { cutCallText } from "./cut-call.ts";
import { decisionText } from "./stop.ts";

const TEXT = 160;

/** One line of a log for a human. `run` is the run after the event, so that items can be named by their index. */
export function eventText(event: RunEvent, run: Run): string {
  const detail = detailOf(event, run);
  return detail === "" ? (EVENTS[event.type] ?? event.type) : detail;
}

function detailOf(event: RunEvent, run: Run): string {
  switch (event.type) {
    case "run.began":
      return `began on ${event.origin.host}${event.goal === undefined ? "" : `: ${clipLine(event.goal, TEXT)}`}`;
    case "run.bound":
      return `bound to ${event.host} session ${event.session}`;
    case "run.claimed":
      return `driven by ${event.driver} (epoch ${event.epoch})`;
    case "run.launched":
      return `started by tildone run, with ${event.launch.host ?? "its own agent"}`;
    case "run.ended":
      return `ended: ${event.reason}`;
    case "continuation.switched":
      return `continuation switched ${event.on ? "on" : "off"}`;
    case "human.held":
      return event.now ? "put on hold by you, running tools ended" : "put on hold by you";
    case "human.interrupted":
      return `interrupted by you (${event.how})`;
    case "human.resumed":
      return event.reasons.length === 0 ? "continued by you" : `continued by you after ${event.reasons.join(", ")}`;
    case "budget.extended":
      return `budget raised: ${pairs(event.budget)}`;
    case "words.failed":
      return `your message did not reach the agent and waits again: ${clipLine(event.message, TEXT)}`;
    case "words.queued":
      return `you queued (${event.words.kind}): ${clipLine(event.words.text, TEXT)}`;
    case "turn.started":
      return `turn ${event.turn} began (${event.cause})`;
    case "turn.ended":
      return event.failure
        ? `turn ${event.turn} failed: ${clipLine(event.failure.message, TEXT)}`
        : `turn ${event.turn} ${event.outcome}`;
    case "turn.resumed":
      return `turn ${event.of} continues as ${event.turn}: a tool call followed`;
    case "usage.spent":
      return `an agent of this run used ${event.usage.input + event.usage.output} tokens`;
    case "turn.cut":
      return `turn ${event.turn} was cut off: its process ended`;
    case "background.changed":
      return `in the background: agents ${event.agents}, commands ${event.commands ?? event.awaited}, of which awaited ${event.awaited}`;
    case "model.chosen":
      return `model: ${[event.model, event.baseUrl].filter((part) => part !== undefined).join(" at ")}`;
    case "mode.changed":
      return event.readOnly ? "read-only mode" : "read-only mode left";
    case "decision.made":
      return `${event.decision.type === "continue" ? "continue" : `${event.decision.type} ${event.decision.reason}`}: ${decisionText(event.decision)}`;
    case "wait.parked":
      return `parked; wakes it: ${event.waker}`;
    case "nudge.intended":
      return `nudge ${event.nudge} (${event.kind}) is about to go out`;
    case "nudge.delivered":
      return `nudge ${event.nudge} delivered`;
    case "nudge.failed":
      return `nudge ${event.nudge} failed: ${clipLine(event.message, TEXT)}`;
    case "nudge.withdrawn":
      return `nudge ${event.nudge} withdrawn: ${clipLine(event.why, TEXT)}`;
    case "round.began":
      return `checks began (${event.purpose})`;
    case "round.ended":
      return event.cut !== undefined
        ? `checks stopped: ${event.cut}`
        : event.receipts.map(receiptText).join("; ") || "no check to run";
    case "check.observed":
      return `the agent ran ${clipLine(event.receipt.command, 60)} itself: ${event.receipt.status}`;
    case "guard.taken":
      return `recorded the protected files of ${event.owners.length} checks`;
    case "clock.moved":
      return event.by === 0
        ? "waits and budgets are measured by this machine's clock from here on"
        : `the time of day moved by ${Math.round(event.by / 1000)} s; it counts for nothing`;
    case "config.dropped":
      return event.files.length === 0
        ? "the project's settings are applied again"
        : `not applied: ${event.files.map(({ file, says }) => `${file}: ${clipLine(says, TEXT)}`).join("; ")}`;
    case "attempt.refused":
      return attemptText(event);
    case "host.failed":
      return `${event.where} failed: ${clipLine(event.message, TEXT)}`;
    case "todos.written":
      return `list ${event.mode === "replace" ? "written" : event.mode === "append" ? "appended to" : "inserted into"}: ${event.items.length} item(s)${event.dropped.length > 0 ? `, ${event.dropped.length} dropped` : ""}`;
    case "todo.started":
      return `started ${items(event.ids, run)}`;
    case "todo.completed":
      return `completed ${items(event.ids, run)}`;
    case "todo.abandoned":
      return `abandoned ${items(event.ids, run)}: ${clipLine(event.reason, TEXT)}`;
    case "todo.blocked":
      return `blocked ${items(event.ids, run)}: ${clipLine(event.reason, TEXT)}`;
    case "todo.reopened":
      return `reopened ${items(event.ids, run)}`;
    case "todo.released":
      return `released ${items(event.ids, run)}`;
    case "todo.removed":
      return `removed ${event.ids.length} item(s)`;
    case "todo.changed":
    case "todo.moved":
      return `${event.type === "todo.moved" ? "moved" : "changed"} ${items([event.id], run)}`;
    case "workflow.started":
      return `workflow ${event.workflowKey} began: ${clipLine(event.description, TEXT)}`;
    case "approval.requested":
      return `asks for approval: ${exactLine(event.approval.what, TEXT)}`;
    case "approval.answered":
      return `approval: ${OUTCOMES[event.outcome]} (call ${event.call})${event.what === undefined ? "" : `: ${exactLine(event.what, TEXT)}`}`;
    case "call.intended":
      return `call ${event.call}: ${clipLine(event.what, TEXT)}`;
    case "call.settled":
      return `call ${event.call} (${event.tool}) ended: ${event.status}${event.code ? `, ${event.code}` : ""}`;
    case "call.cut":
      return cutCallText(event);
    case "batch.settled":
      return `calls ended: ${pairs(event.counts)}`;
    default:
      return "";
  }
}

/** `✗ check failed: npm test (exit 1, 0.4 s)` */
function receiptText({ command, status, exit, durationMs }: Receipt): string {
  const passed = status === "passed" || status === "observed";
  const details = [
    ...(exit ? [`exit ${exit}`] : []),
    ...(durationMs > 0 ? [`${(durationMs / 1000).toFixed(1)} s`] : []),
  ];
  const more = details.length > 0 ? ` (${details.join(", ")})` : "";
  return `${passed ? "✓" : "✗"} check ${status.replace("_", " ")}: ${clipLine(command, 60)}${more}`;
}

function items(ids: readonly string[], { plan }: Run): string {
  return ids
    .map((id) => {
      const index = plan.todos.findIndex((todo) => todo.id === id);
      return index < 0 ? id : `[${index}] ${clipLine(plan.todos[index]!.text, 60)}`;
    })
    .join(", ");
}

const pairs = (numbers: object): string =>
  Object.entries(numbers)
    .filter(([, value]) => value !== undefined && value !== 0)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ");
