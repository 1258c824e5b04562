import { OWN_HOST } from "../config/index.ts";
import { uncovered } from "../core/continuation/index.ts";
import { countProof, countText, markedTodos } from "../core/proof/index.ts";
import { STOP } from "../core/reason/index.ts";
import {
  type BudgetUse,
  budgetUse,
  countedTokens,
  type Decision,
  decisionText,
  isMidWork,
  nextStepText,
  type Run,
} from "../core/run/index.ts";
import { exactLine } from "../core/text/index.ts";
import { themedList } from "../core/todo/index.ts";
import { activeLine, asksOf, brakeText, resumeCommand } from "../core/words/index.ts";
import { breadcrumb } from "../core/workflow/index.ts";
import { ENDS_NO_TURN } from "./hosts.ts";
import type { Io } from "./io.ts";
import { askLines, WAITING_FOR_YOU } from "./show-asks.ts";
import { clockTime, span } from "./span.ts";
import { styleOf } from "./style.ts";
import { clip, width, wrap } from "./wrap.ts";

/** One run on a screen: what it is, its list, why it stands where it stands, what it used. */
export function showRun(
  run: Run,
  io: Pick<Io, "columns" | "hasColour">,
  now: number,
  { heardAt = now, isGone = false }: Heard = {},
): string {
  const style = styleOf(io);
  const { columns } = io;
  const silence: Silence = { ms: now - heardAt, isGone };
  const asks = isGone ? [] : askLines(run, io, now);
  return [
    ...asks,
    ...(asks.length > 0 ? [""] : []),
    `${style.strong(run.id)}  ${clip(`${run.origin.host}  ${run.origin.cwd}`, columns - run.id.length - 2)}`,
    ...(run.goal === undefined ? [] : [clip(`Goal: ${run.goal}`, columns)]),
    ...workflowLines(run, columns),
    "",
    ...todoLines(run, io),
    "",
    ...wrap(stateLine(run, now, silence), columns).split("\n"),
    ...requirementLines(run, columns),
    ...budgetLines(run, columns),
    clip(`Began ${span(now - run.ledger.began)} ago. ${usageText(run)}`, columns),
  ].join("\n");
}

/** A working agent says something now and then: a call that ended, an item, a turn. */
const SILENCE_MS = 15 * 60_000;

/** When it was heard of last, and whether the process that drove it is known to be dead. */
export interface Heard {
  readonly heardAt?: number;
  readonly isGone?: boolean;
}
export interface Silence {
  readonly ms: number;
  readonly isGone: boolean;
}
const NO_SILENCE: Silence = { ms: 0, isGone: false };

/** State and reason in one line. */
export function stateLine(run: Run, now: number, silence: Silence): string {
  const word = run.status === "ended" ? "over" : stateWord(run, silence);
  const text = stateText(run, now, silence);
  const says = text.toLowerCase().startsWith(`${word} `) ? text.slice(word.length + 1) : text; // not the same word twice
  return `${word}: ${says}`;
}

/** Its process died while there was something left to do by itself. */
const isCutOff = (run: Run, { isGone }: Silence): boolean => isGone && isMidWork(run);

export const CUT_OFF = "cut off";

/** In a word or two what the run does now. */
export function stateWord(run: Run, silence: Silence = NO_SILENCE): string {
  const { turn, decision, held, left } = run.ledger;
  if (run.status === "ended") return run.ledger.endReason ?? "ended";
  if (held) return "held";
  if (left) return "left";
  if (isCutOff(run, silence)) return CUT_OFF;
  if (asksOf(run).length > 0) return WAITING_FOR_YOU;
  if (turn?.braked && !turn.braked.lifted) return "ending";
  if (turn || !decision) return silence.ms > SILENCE_MS ? "silent" : "working";
  return decision.type === "continue" ? "continuing" : decision.type === "wait" ? "waiting" : "stopped";
}

function stateText(run: Run, now: number, silence: Silence): string {
  const { status, origin, id } = run;
  const { turn, decision, boundary, left, held } = run.ledger;
  if (status === "ended" && !decision) return "the run has ended.";
  if (left)
    return `the host exited in the middle of a turn ${span(now - left.at)} ago. Resume its session to continue.`;
  if (held) return [turn?.held ? ENDS_AFTER_TOOL : "the agent gets no new work.", STOP.held.next].join(" ");
  const ending = turn && endingText(turn, run);
  if (isCutOff(run, silence)) {
    const before = ending ?? (turn || decision?.type !== "wait" ? undefined : decisionText(decision));
    return `its process ended in the middle of the work.${before ? ` Before that: ${before}` : ""} ${origin.host === OWN_HOST ? `\`tildone run --resume ${id}\` continues.` : "Resume its session to continue."}`;
  }
  const [ask] = asksOf(run);
  if (ask) return `${ask.says}${ask.what === undefined ? "" : `: ${exactLine(ask.what, 160)}`}`;
  if ((turn || !decision) && silence.ms > SILENCE_MS)
    return `no sign of it for ${span(silence.ms)}. Busy, or its host exited without saying so.`;
  if (ending) return ending;
  if (turn || !decision) return workingText(run);
  const parked =
    boundary?.status === "parked"
      ? " Nothing is running that would continue it: send a message or resume the session."
      : "";
  return [`${decisionText(decision)}${waitsUntil(run, now)}${parked}`, nextStepOf(run, decision)]
    .filter(Boolean)
    .join(" ");
}

const ENDS_AFTER_TOOL = "the turn ends after the tool that runs, and no new one begins.";

function workingText(run: Run): string {
  const active = activeLine(run);
  return active === "" ? "the agent is working." : `the agent is working on ${active}.`;
}

/** Where nobody sits in front of the agent, a command continues it and not a message. */
function nextStepOf(run: Run, decision: Decision): string {
  const isUnattended = run.status === "live" && run.ledger.launch !== undefined;
  if (decision.type !== "stop" || !isUnattended || nextStepText(decision) === "") return nextStepText(decision);
  return `Continue with: ${resumeCommand(run, decision.reason)}`;
}

/** A limit was reached inside the turn, and the turn has not ended yet. */
function endingText({ braked }: NonNullable<Run["ledger"]["turn"]>, { origin, ledger }: Run): string | undefined {
  if (!braked || braked.lifted) return undefined;
  const says = brakeText(braked.reason, braked.detail);
  return ENDS_NO_TURN.has(origin.host) && !ledger.launch ? `${says} ${REFUSES_INSTEAD}` : says;
}

const REFUSES_INSTEAD =
  "This host lets no hook end a turn: every call is refused until the agent stops. Esc in the host ends it now.";

function waitsUntil(run: Run, now: number): string {
  const until = waitEnd(run, now);
  if (until === undefined) return "";
  const { decision } = run.ledger;
  const isExact = decision?.type === "wait" && (decision.reason === "rate_limited" || decision.reason === "backoff");
  return ` It continues at ${clockTime(until, now)} (in ${span(until - now)})${isExact ? "" : " at the latest"}.`;
}

/** When a wait ends by itself; undefined where only an event ends it. */
export const waitEnd = ({ ledger: { decision, boundary } }: Run, now: number): number | undefined =>
  decision?.type === "wait" && boundary?.until !== undefined && boundary.until > now ? boundary.until : undefined;

function todoLines(run: Run, io: Pick<Io, "columns" | "hasColour">): string[] {
  const count = countProof(run);
  if (count.total === 0) return ["No todos."];
  return [`Todos ${bar(count.done, count.total, 20)} ${countText(count)}`, ...listLines(run, io)];
}

/** One coloured line for each item, no wider than the screen. */
export function listLines(run: Run, io: Pick<Io, "columns" | "hasColour">): string[] {
  const style = styleOf(io);
  return themedList(markedTodos(run)).map((segments) => {
    let room = io.columns;
    return segments
      .map(({ text, role, struck }) => {
        const shown = clip(text, Math.max(0, room));
        const padded = text.endsWith(" ") && !shown.endsWith(" ") ? `${shown} ` : shown;
        room -= width(padded);
        return room < 0 ? "" : style.role(role, struck ? style.struck(padded) : padded);
      })
      .join("");
  });
}

function workflowLines({ plan: { workflow } }: Run, columns: number): string[] {
  return workflow ? [clip(`Workflow: ${workflow.workflowKey} ${breadcrumb(workflow)}`, columns)] : [];
}

function requirementLines(run: Run, columns: number): string[] {
  const open = uncovered(run);
  if (open.length === 0) return [];
  return [
    `No todo covers ${open.length} requirement(s):`,
    ...open.slice(0, 10).map(({ id, text }) => clip(`  ${id} ${text}`, columns)),
  ];
}

function budgetLines({ ledger }: Run, columns: number): string[] {
  return budgetUse(ledger).map((use) =>
    clip(
      `${use.name.padEnd(13)} ${bar(use.used, use.limit, 20)} ${amount(use, use.used)} of ${amount(use, use.limit)}`,
      columns,
    ),
  );
}

const amount = ({ name }: BudgetUse, value: number): string =>
  name === "cost" ? `$${value.toFixed(2)}` : name === "minutes" ? value.toFixed(1) : String(value);

/** `[#####---------------]`; plain characters, so that it reads the same everywhere. */
export function bar(used: number, limit: number, cells: number): string {
  const full = limit <= 0 ? 0 : Math.min(cells, Math.floor((used / limit) * cells));
  return `[${"#".repeat(full)}${"-".repeat(cells - full)}]`;
}

function usageText({ ledger: { spent } }: Run): string {
  const tokens = countedTokens(spent);
  const parts = [
    `${spent.continuations} continuation(s)`,
    ...(tokens > 0 ? [`${tokens} tokens${spent.estimated > 0 ? ` (${spent.estimated} estimated)` : ""}`] : []),
    ...(spent.cost > 0 ? [`$${spent.cost.toFixed(2)}`] : []),
    `active ${span(spent.activeMs)}`,
  ];
  return `${parts.join(", ")}.`;
}
