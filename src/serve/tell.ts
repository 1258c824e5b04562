import { midWorkRefusal, type Told, type UndoHome, undoPlace, undoRun } from "../compose/index.ts";
import { OUTCOMES } from "../core/call/index.ts";
import { answerTo, type Place, type RunOrder, triggerOf } from "../core/command/index.ts";
import type { HumanAnswer, Trigger } from "../core/react/index.ts";
import type { Envelope } from "../core/run/index.ts";
import { fromWhere, type Spoken } from "../core/speaker/index.ts";
import { clockTime } from "../core/text/index.ts";
import { type Log, openRun, type RunCard } from "../engine/index.ts";
import type { Answered, Saying } from "./wire.ts";

const PLACE: Place = { prefix: "tildone ", starts: true };

/** The run that something is said to. */
export interface Target {
  readonly card: RunCard;
  readonly log: Log;
  tell(trigger: Trigger, from: Spoken): Promise<Told>;
  /** Only where it is worked on elsewhere: ends it for good; false: it was over already. */
  readonly cancel?: () => Promise<boolean>;
}

/** Says it to the run as every command does. A click that arrives twice is done once: its name stands in the log with what it did. */
export async function tell(home: UndoHome, target: Target, saying: Saying, from: Spoken): Promise<Answered> {
  if (isDone(target, from.request)) return { status: "done", text: "Done." };
  switch (saying.type) {
    case "answer":
      return answer(target, saying.ask, { outcome: saying.outcome, words: saying.words.trim() }, from, home.now());
    case "edit":
      return answer(target, saying.ask, { outcome: "edited", command: saying.command }, from, home.now());
    case "undo":
    case "redo":
      return target.cancel
        ? { status: "refused", text: filesElsewhere(target.card.run) }
        : takeBack(home, target, saying, from);
    case "cancel":
      return cancel(target);
    default:
      return order(target, saying, from);
  }
}

/** Its files are with its worker, and in the branch. */
export const filesElsewhere = (run: string): string =>
  `${run} is a run of the fleet, and its files are with its worker. Its result is the branch tildone/${run}.`;

async function cancel({ card: { run }, cancel: end }: Target): Promise<Answered> {
  if (!end) return { status: "refused", text: `${run} is a run of this machine. Hold it instead.` };
  return (await end())
    ? { status: "done", text: `Cancelled ${run}. Its log stays.` }
    : { status: "unchanged", text: `${run} is already over.` };
}

type OrderSaying = Exclude<Saying, { type: "answer" | "edit" | "undo" | "redo" | "cancel" }>;

async function order({ card, log, tell }: Target, saying: OrderSaying, from: Spoken): Promise<Answered> {
  const meant = orderOf(saying, (todo) => openRun(log, card.run).run.plan.todos.findIndex(({ id }) => id === todo));
  if (meant === undefined) return { status: "refused", text: "That todo is not on the list any more." };
  const id = from.request ?? crypto.randomUUID();
  const told = await tell(
    triggerOf(meant, () => id),
    from,
  );
  return answered(told, () => (told.status === "done" ? answerTo(meant, told.reply, told.run, PLACE).text : ""));
}

/** Todos are named by their id: the list may have moved since it was drawn. */
function orderOf(saying: OrderSaying, indexOf: (todo: string) => number): RunOrder | undefined {
  switch (saying.type) {
    case "hold":
      return { type: "hold", now: saying.now };
    case "unhold":
      return { type: "unhold", text: saying.text.trim() };
    case "say":
      return { type: "say", text: saying.text.trim(), kind: saying.later ? "follow-up" : "steer" };
    case "add": {
      const { text, priority, askFirst } = saying;
      return { type: "add", todo: { text: text.trim(), ...(priority && { priority }), ...(askFirst && { askFirst }) } };
    }
    case "mark": {
      const index = indexOf(saying.todo);
      return index < 0 ? undefined : { type: "edit", edit: { action: saying.as, indices: [index] } };
    }
    case "change": {
      const index = indexOf(saying.todo);
      const { text, priority } = saying;
      return index < 0
        ? undefined
        : { type: "edit", edit: { action: "change", index, ...(text && { text }), ...(priority && { priority }) } };
    }
    case "move": {
      const index = indexOf(saying.todo);
      return index < 0 ? undefined : { type: "edit", edit: { action: "move", index, to: saying.to } };
    }
    case "extend":
      return { type: "extend", budget: saying.budget };
    case "accept":
      return { type: "accept" };
  }
}

async function answer(target: Target, ask: string, said: HumanAnswer, from: Spoken, now: number): Promise<Answered> {
  const { outcome } = said;
  const told = await target.tell({ type: "human.answer", call: ask, ...said }, from);
  if (told.status === "refused" && (told.code === "approval_gone" || told.code === "no_approval")) {
    const first = lastAnswer(target, ask);
    return { status: "taken", text: first ? takenText(first, now) : "It does not wait for an answer any more." };
  }
  return answered(told, () => `${OUTCOMES[outcome][0]!.toUpperCase()}${OUTCOMES[outcome].slice(1)}.`);
}

function takenText({ at, event }: Envelope & { event: { type: "approval.answered" } }, now: number): string {
  const { outcome, from } = event as typeof event & { readonly outcome: keyof typeof OUTCOMES };
  return `Already answered at ${clockTime(at, now)}${from ? ` ${fromWhere(from)}` : ""}: ${OUTCOMES[outcome]}. Your answer changed nothing.`;
}

async function takeBack(
  home: UndoHome,
  { card }: Target,
  saying: Saying & { type: "undo" | "redo" },
  from: Spoken,
): Promise<Answered> {
  const refusal = midWorkRefusal(home, card);
  if (refusal !== undefined) return { status: "refused", text: refusal };
  const { todos } = openRun(home.store.log, card.run).run.plan;
  const todo = saying.type === "undo" ? saying.todo : undefined;
  const index = todo === undefined ? undefined : todos.findIndex(({ id }) => id === todo);
  if (index !== undefined && index < 0) return { status: "refused", text: "That todo is not on the list any more." };
  const place = await undoPlace(home, card, from);
  const { status, text } = await undoRun(place, {
    kind: saying.type,
    what: index === undefined ? undefined : String(index),
  });
  return { status, text };
}

const answered = (told: Told, text: () => string): Answered =>
  told.status === "done" ? { status: "done", text: text() } : { status: told.status, text: told.text };

const LOOKED_AT = 500;

function isDone(target: Target, request: string | undefined): boolean {
  return request !== undefined && newest(target).some(({ event }) => event.from?.request === request);
}

/** What waited is named by its digest; an answer to it names the call. */
function lastAnswer(target: Target, ask: string) {
  const events = newest(target);
  const asked = events.findLast(
    ({ event }) => event.type === "approval.requested" && (event.approval.digest ?? event.approval.call) === ask,
  )?.event;
  const call = asked?.type === "approval.requested" ? asked.approval.call : ask;
  return events.findLast(
    (envelope): envelope is Envelope & { event: { type: "approval.answered" } } =>
      envelope.event.type === "approval.answered" && envelope.event.call === call,
  );
}

const newest = ({ log, card: { run } }: Target): readonly Envelope[] =>
  log.read(run, Math.max(0, log.last(run) - LOOKED_AT)).events;
