import { type Conversation, endsIn, type NudgeKind, type Run } from "../run/index.ts";
import { nextTodo, type Todo } from "../todo/index.ts";
import { type ContextMode, currentPhase } from "../workflow/index.ts";
import type { Limits } from "./limits.ts";
import { next } from "./step.ts";

/** Where the next work begins, and why: a sentence for `tildone why`. */
export interface ConversationChoice {
  readonly start: "same" | "fresh";
  readonly why: string;
}

/**
 * Whether the next work begins in a new conversation. Asked between two answers, and when a nudge is about to go out; the order of the
 * lines is the policy. `briefing`: what a new conversation would be told, in tokens.
 */
export function chooseConversation(
  run: Run,
  { context }: Pick<Limits, "context">,
  kind: NudgeKind,
  briefing: () => number,
): ConversationChoice {
  const { conversation } = run.ledger;
  const mode = modeOf(run, context.mode);
  if (mode === "same") return same("`context` is `same`");
  if (!context.can) return same("this host cannot start a new conversation");
  if (!WORK.has(kind)) return same("the agent is asked about the conversation before");
  if (endsIn(conversation) === 0) return same("no todo ended in this conversation yet");
  const todo = nextTodo(run.plan.todos);
  const name = todo === undefined ? "the next step" : `[${run.plan.todos.indexOf(todo)}]`;
  if (isMidway(run)) return same(`the agent is in the middle of ${name}`);
  if (conversation.phases === 0 && conversation.ended.length < context.every)
    return same(`${conversation.ended.length} of ${context.every} todos ended in this conversation`);
  if (mode === "fresh") return fresh(`\`context\` is \`fresh\`, and ${endedText(run)}`);
  const needed = todo && neededOf(run, todo);
  if (needed)
    return inAuto(same(`${name} needs [${run.plan.todos.indexOf(needed)}], which was done in this conversation`));
  return inAuto(cheaper(conversation, name, briefing));
}

const inAuto = ({ start, why }: ConversationChoice): ConversationChoice => ({
  start,
  why: `\`context\` is \`auto\`, and ${why}`,
});

/** A todo ended since the question was asked last, in a turn that goes on: it is worth asking again. */
export function mayRenew(run: Run, { context }: Pick<Limits, "context">): boolean {
  const { turn, conversation } = run.ledger;
  if (!turn || !context.can || modeOf(run, context.mode) === "same") return false;
  return isUnasked(conversation);
}

/** Where the work after the last end begins was not asked yet. */
export const isUnasked = (conversation: Conversation): boolean =>
  endsIn(conversation) > 0 && conversation.kept?.ended !== endsIn(conversation);

/** A phase's own word holds as long as the phase. */
export function modeOf({ plan: { workflow } }: Run, mode: ContextMode): ContextMode {
  const phase = workflow?.status === "active" ? currentPhase(workflow)?.phase : undefined;
  return phase?.context ?? mode;
}

/** Whether it begins anew right now, between two answers of a turn: nothing may wait for you, and nothing may stop it. */
export function renewsNow(run: Run, limits: Limits, briefing: () => number): ConversationChoice {
  const { ledger, status } = run;
  const { turn, held, interrupt, off, verifying, questions, approvals, words } = ledger;
  if (status !== "live" || !turn || !limits.enabled || off) return same("tildone is off here");
  if (held || interrupt || turn.held || turn.braked) return same("the turn ends");
  if (verifying || questions.length + approvals.length > 0) return same("something else is awaited first");
  if (words.length > 0) return same("your message goes first");
  const found = next(run);
  if (found.status !== "free") return same("nothing is open");
  return chooseConversation(run, limits, found.step.type, briefing);
}

const same = (why: string): ConversationChoice => ({ start: "same", why });
const fresh = (why: string): ConversationChoice => ({ start: "fresh", why });

/** Kinds of nudges that begin a piece of work; the others speak of what was said before. */
const WORK: ReadonlySet<NudgeKind> = new Set<NudgeKind>(["todo", "phase", "requirement"]);

/** A todo is in progress, and something was done since the one before it ended, in an answer of its own. */
function isMidway({ plan, ledger }: Run): boolean {
  const { activity, turn, conversation } = ledger;
  const { since } = conversation;
  if (!plan.todos.some(({ status }) => status === "in_progress") || activity <= since.activity) return false;
  return turn === undefined || turn.id !== since.turn || turn.pace.answers > since.answers;
}

function endedText({ ledger: { conversation }, plan }: Run): string {
  const [last] = conversation.ended.slice(-1);
  const index = plan.todos.findIndex(({ id }) => id === last);
  if (index < 0) return "a phase began";
  return conversation.ended.length === 1 ? `[${index}] ended` : `${conversation.ended.length} todos ended`;
}

/** A todo that it needs, and whose work is in this conversation. */
function neededOf({ plan, ledger }: Run, todo: Todo): Todo | undefined {
  return plan.todos.find(({ id }) => todo.needs.includes(id) && ledger.conversation.ended.includes(id));
}

/** What the provider reads from its cache costs about a tenth. */
const CACHED = 0.1;

/**
 * Compares what the next todo costs either way: in this conversation all of it is sent again with every request, a new one has to be
 * told its briefing.
 */
function cheaper(conversation: Conversation, name: string, briefing: () => number): ConversationChoice {
  const { first, last, cached, requests, ended, number } = conversation;
  if (first === undefined || last === undefined)
    return fresh(`${name} needs nothing of this conversation, whose size is not known here`);
  const told = briefing();
  const anew = number === 1 ? first + told : first;
  const share = cached * 2 >= last ? CACHED : 1;
  const perTodo = Math.max(1, requests / Math.max(1, ended.length));
  const isCheaper = perTodo * Math.max(0, last - anew) * share > told;
  const holds = `it holds ${grouped(last)} tokens${share < 1 ? ", mostly cached" : ""}`;
  const sizes = `${holds}; a new one would hold about ${grouped(anew)}, with a briefing of ${grouped(told)}`;
  return isCheaper
    ? fresh(`${name} needs nothing of this conversation: ${sizes}`)
    : same(`this one is cheaper: ${sizes}`);
}

const grouped = (amount: number): string => String(Math.round(amount)).replace(/\B(?=(\d{3})+$)/g, ",");
