import { STOP, waitRow } from "../reason/index.ts";
import {
  decisionText,
  isMidWork,
  isOpenAgain,
  nextStepText,
  type Run,
  type StoredDecision,
  type Turn,
} from "../run/index.ts";
import { clipLine, clockTime, counted, exactLine, span } from "../text/index.ts";
import { openTodos } from "../todo/index.ts";
import { asksOf } from "./asks.ts";
import { brakeText } from "./brake.ts";
import { resumeCommand } from "./resume.ts";

/** What the log of a run does not tell about it. */
export interface Seen {
  readonly now: number;
  /** When it was heard of last; without it just now. */
  readonly heardAt?: number;
  /** The process that drove it is known to be dead. */
  readonly isGone?: boolean;
  /** A turn cannot be ended there; calls are refused instead. */
  readonly endsNoTurn?: boolean;
  /** It is resumed by a command; elsewhere in its own session. */
  readonly isOurs?: boolean;
}

/** In a word or two what the run does now. A run that ended is called by its reason. */
export type StateWord =
  | "held"
  | "left"
  | "cut off"
  /** The first word on every screen while you have to answer. */
  | "WAITING FOR YOU"
  | "ending"
  | "silent"
  | "working"
  | "continuing"
  | "waiting"
  | "stopped";

/** Whose move it is. */
export type Actor = "you" | "agent" | "tildone" | "nobody";

export interface State {
  readonly word: StateWord | (string & {});
  /** Why, and what to do about it. */
  readonly says: string;
  /** Both in one line, without the same word twice. */
  readonly line: string;
  readonly actsNext: Actor;
  readonly tone: "good" | "attention" | "over";
  /** When a wait ends by itself; without it only an event ends it. */
  readonly until?: number;
}

/** A working agent says something now and then: a call that ended, an item, a turn. */
const SILENCE_MS = 15 * 60_000;

export function stateOf(run: Run, seen: Seen): State {
  const word = run.status === "ended" ? (run.ledger.endReason ?? "ended") : wordOf(run, seen);
  const until = waitEnd(run, seen.now);
  const isOver = run.status === "ended";
  const says = saysOf(run, seen);
  return {
    word,
    says,
    line: lineOf(isOver ? "over" : word, says),
    actsNext: isOver ? "nobody" : (NEXT[word as StateWord] ?? "nobody"),
    tone: isOver ? "over" : word === "working" || word === "continuing" ? "good" : "attention",
    until,
  };
}

const NEXT: Readonly<Record<StateWord, Actor>> = {
  held: "you",
  left: "you",
  "cut off": "you",
  "WAITING FOR YOU": "you",
  ending: "agent",
  silent: "agent",
  working: "agent",
  continuing: "tildone",
  waiting: "tildone",
  stopped: "you",
};

const lineOf = (first: string, says: string): string =>
  `${first}: ${says.toLowerCase().startsWith(`${first} `) ? says.slice(first.length + 1) : says}`;

/** One line for a status bar: what is worked on. */
export function activeLine({ plan }: Run): string {
  return plan.todos
    .flatMap((todo, index) => (todo.status === "in_progress" ? [`[${index}] ${clipLine(todo.text, 60)}`] : []))
    .slice(0, 5)
    .join(" · ");
}

const silenceOf = ({ now, heardAt = now }: Seen): number => now - heardAt;

/** Its process died while there was something left to do by itself. */
const isCutOff = (run: Run, { isGone = false }: Seen): boolean => isGone && isMidWork(run);

function wordOf(run: Run, seen: Seen): StateWord {
  const { turn, decision, held, left } = run.ledger;
  if (held) return "held";
  if (left) return "left";
  if (isCutOff(run, seen)) return "cut off";
  if (asksOf(run).length > 0) return "WAITING FOR YOU";
  if (turn?.braked && !turn.braked.lifted) return "ending";
  if (isOpenAgain(run.ledger)) return "stopped";
  if (turn || !decision) return silenceOf(seen) > SILENCE_MS ? "silent" : "working";
  return decision.type === "continue" ? "continuing" : decision.type === "wait" ? "waiting" : "stopped";
}

function saysOf(run: Run, seen: Seen): string {
  const { turn, decision, boundary, left, held } = run.ledger;
  if (run.status === "ended" && !decision) return "the run has ended.";
  if (left)
    return `the host exited in the middle of a turn ${span(seen.now - left.at)} ago. Resume its session to continue.`;
  if (held) return [turn?.held ? ENDS_AFTER_TOOL : "the agent gets no new work.", STOP.held.next].join(" ");
  const ending = turn && endingText(turn, run, seen);
  if (isCutOff(run, seen)) {
    const before = ending ?? (turn || decision?.type !== "wait" ? undefined : decisionText(decision));
    const next = seen.isOurs ? `\`tildone run --resume ${run.id}\` continues.` : "Resume its session to continue.";
    return `its process ended in the middle of the work.${before ? ` Before that: ${before}` : ""} ${next}`;
  }
  const [ask] = asksOf(run);
  if (ask) return `${ask.says}${ask.what === undefined ? "" : `: ${exactLine(ask.what, 160)}`}`;
  if (isOpenAgain(run.ledger)) return openAgainText(run, seen);
  if ((turn || !decision) && silenceOf(seen) > SILENCE_MS)
    return `no sign of it for ${span(silenceOf(seen))}. Busy, or its host exited without saying so.`;
  if (ending) return ending;
  if (turn || !decision) return workingText(run);
  const parked = boundary?.status === "parked" ? PARKED : "";
  return [`${decisionText(decision)}${waitsUntil(run, seen.now)}${parked}`, nextStepOf(run, decision)]
    .filter(Boolean)
    .join(" ");
}

/** The earlier decision no longer holds; the process that continues the run decides again. */
function openAgainText(run: Run, { isOurs = false }: Seen): string {
  const open = openTodos(run.plan.todos).length;
  const still = open === 0 ? "every todo is done, to be judged again" : `${counted(open, "todo")} open`;
  const next = isOurs
    ? `\`tildone run --resume ${run.id}\` continues.`
    : "Send a message or resume the session to continue.";
  return `open again after it was done: ${still}. ${next}`;
}

const ENDS_AFTER_TOOL = "the turn ends after the tool that runs, and no new one begins.";
const PARKED = " Nothing is running that would continue it: send a message or resume the session.";

function workingText(run: Run): string {
  const active = activeLine(run);
  return active === "" ? "the agent is working." : `the agent is working on ${active}.`;
}

/** Where the agent has no terminal, a command continues it and not a message. */
function nextStepOf(run: Run, decision: StoredDecision): string {
  const isUnattended = run.status === "live" && run.ledger.launch !== undefined;
  if (decision.type !== "stop" || !isUnattended || nextStepText(decision) === "") return nextStepText(decision);
  return `Continue with: ${resumeCommand(run, decision.reason)}`;
}

/** A limit was reached inside the turn, and the turn has not ended yet. */
function endingText({ braked }: Turn, { ledger }: Run, { endsNoTurn = false }: Seen): string | undefined {
  if (!braked || braked.lifted) return undefined;
  const says = brakeText(braked.reason, braked.detail);
  return endsNoTurn && !ledger.launch ? `${says} ${REFUSES_INSTEAD}` : says;
}

const REFUSES_INSTEAD =
  "This host lets no hook end a turn: every call is refused until the agent stops. Esc in the host ends it now.";

function waitsUntil(run: Run, now: number): string {
  const until = waitEnd(run, now);
  if (until === undefined) return "";
  const { decision } = run.ledger;
  const isExact = decision?.type === "wait" && waitRow(decision.reason).isExact === true;
  return ` It continues at ${clockTime(until, now)} (in ${span(until - now)})${isExact ? "" : " at the latest"}.`;
}

const waitEnd = ({ ledger: { decision, boundary } }: Run, now: number): number | undefined =>
  decision?.type === "wait" && boundary?.until !== undefined && boundary.until > now ? boundary.until : undefined;
