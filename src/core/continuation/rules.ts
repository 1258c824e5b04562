import type { StopReason, WaitReason } from "../reason/index.ts";
import {
  type Boundary,
  budgetSpent,
  type Decision,
  type Failure,
  type NudgeKind,
  type Run,
  type Step,
} from "../run/index.ts";
import { whatItWaitsFor } from "../todo/index.ts";
import { finish, needsRound } from "./finish.ts";
import type { Limits } from "./limits.ts";
import { allWaits, next } from "./step.ts";

/** One rule of the policy: speaks or stays silent. */
export interface Rule {
  readonly name: string;
  readonly says: (run: Run, limits: Limits, now: number) => Answer | undefined;
}
type Answer = Decision extends infer D ? (D extends Decision ? Omit<D, "rule"> : never) : never;

/**
 * The order of these lines is the policy: the first that speaks wins. `rule` names appear in the log and in `tildone why`.
 * A finished run is judged before its budget, so that it never reports a spent one.
 */
export const RULES: readonly Rule[] = [
  rule("switched off", ({ ledger }, { enabled }) => (!enabled || ledger.off) && stop("disabled")),
  rule("on hold", ({ ledger }) => ledger.held && stop("held")),
  rule("stopped by you", ({ ledger }) => ledger.interrupt && stop("interrupted")),
  rule(
    "your message comes first",
    ({ ledger }, limits, now) =>
      ledger.words.some(({ kind }) => kind === "steer") && wait("human", sendAgainAt(ledger, limits, now)),
  ),
  rule("a question is open", ({ ledger }) => ledger.questions.length > 0 && wait("question")),
  rule("an approval is pending", ({ ledger }) => ledger.approvals.length > 0 && wait("approval")),
  rule("the host is recovering", ({ ledger }, _limits, now) => waitUntil("recovering", ledger.recovering?.until, now)),
  rule("the host is compacting", ({ ledger }, _limits, now) => waitUntil("compacting", ledger.compacting?.until, now)),
  rule("the session is busy", ({ ledger }, _limits, now) => waitUntil("busy", ledger.boundary?.busy?.until, now)),
  rule("checks are running", ({ ledger }, _limits, now) => waitUntil("verifying", ledger.verifying?.until, now)),
  rule("background work is awaited", backgroundWork),
  rule("no list was ever written", (run) => next(run).status === "none" && !hadWork(run) && stop("no_todos")),
  rule("plan or read-only mode", ({ ledger }) => ledger.readOnly && stop("read_only")),
  rule(
    "a message is queued",
    (run, limits, now) =>
      (next(run).status === "none" ? run.ledger.words : run.ledger.sending).length > 0 &&
      wait("human", sendAgainAt(run.ledger, limits, now)),
  ),
  rule("finished, checks still to run", (run) => next(run).status === "none" && needsRound(run) && wait("verifying")),
  rule("finished", (run) => next(run).status === "none" && finish(run)),
  rule("a limit ended the turn", braked),
  rule("budget spent", budgetOver),
  rule("the provider's rate limit", rateLimited),
  rule("the provider failed, retrying may help", triedAgain("overload")),
  rule("the host failed, retrying may help", triedAgain("host")),
  rule("the turn failed and retrying cannot help", failedForGood),
  rule("every open todo is blocked", nothingFree),
  rule(
    "asked for a list and got none",
    (run) => stepType(run) === "write_list" && run.ledger.listAsked && stop("no_todos"),
  ),
  rule("the next todo needs your release", (run) => needsRelease(run) && stop("awaiting_release")),
  rule("the agent needs your answer", ({ ledger }) => ledger.asked >= 2 && stop("question", questionOf(ledger))),
  rule("budget spent, one last turn", ({ ledger }) => budgetSpent(ledger) && goOn("wind_down")),
  rule("no progress", noProgress),
  rule("todos are open", ({ ledger }) => goOn(ledger.boundary?.question ? "question" : "step")),
];

type Says = (run: Run, limits: Limits, now: number) => Draft | false | undefined | "";
type Draft = Answer | { readonly type: "go_on"; readonly as: NudgeKind | "step" };

function rule(name: string, says: Says): Rule {
  return {
    name,
    says: (run, limits, now) => {
      const draft = says(run, limits, now);
      if (!draft) return undefined;
      return draft.type === "go_on" ? onward(run, limits, now, draft.as) : draft;
    },
  };
}

const stop = (reason: StopReason, detail?: string): Answer => ({ type: "stop", reason, ...(detail && { detail }) });
const wait = (reason: WaitReason, until?: number): Answer => ({
  type: "wait",
  reason,
  until,
});
const goOn = (as: NudgeKind | "step"): Draft => ({ type: "go_on", as });

/** A wait with a deadline; past it the rule is silent, so that no wait lasts forever. */
const waitUntil = (reason: WaitReason, until: number | undefined, now: number) =>
  until !== undefined && now < until && wait(reason, until);

function onward(run: Run, limits: Limits, now: number, as: NudgeKind | "step"): Answer {
  const found = next(run);
  const step: Step = found.status === "free" ? found.step : { type: "write_list" };
  const left = run.ledger.lastNudgeAt === 0 ? 0 : run.ledger.lastNudgeAt + limits.minimumGapMs - now;
  const gap = Math.min(left, limits.minimumGapMs); // the clock may have been set back
  return { type: "continue", kind: as === "step" ? step.type : as, step, after: Math.max(limits.countdownMs, gap, 0) };
}

function hadWork({ plan, ledger, goal }: Run): boolean {
  return goal !== undefined || plan.todos.length > 0 || plan.workflow !== undefined || ledger.nextTodoId > 1;
}

function stepType(run: Run): Step["type"] | undefined {
  const found = next(run);
  return found.status === "free" ? found.step.type : undefined;
}

function needsRelease(run: Run): boolean {
  const found = next(run);
  return found.status === "free" && found.step.type === "todo" && run.plan.todos[found.step.index]!.askFirst;
}

/** An agent of this run is waited for; a command only if all open work waits for it: what else is free is done meanwhile. */
function backgroundWork(run: Run, _limits: Limits, now: number) {
  const { agents, awaited, until } = run.ledger.background;
  const isWaitedFor = agents > 0 || (awaited > 0 && allWaits(run));
  return isWaitedFor && waitUntil("background", until, now);
}

/**
 * What ended the turn stops the run, until you let it continue. Held is a rule of its own, a silent provider is tried again, and
 * beside a todo that was set aside there may be others.
 */
function braked({ ledger }: Run) {
  const { reason, detail, lifted } = ledger.boundary?.braked ?? {};
  return reason !== undefined && reason !== "held" && reason !== "blocked" && !lifted && stop(reason, detail);
}

const questionOf = ({ boundary }: Run["ledger"]): string | undefined =>
  boundary?.asks === undefined ? undefined : `"${boundary.asks.text}"`;

function budgetOver({ ledger }: Run) {
  const spent = budgetSpent(ledger);
  return spent && (ledger.woundDown || ledger.boundary?.failure !== undefined) && stop(spent);
}

function rateLimited({ ledger }: Run, limits: Limits, now: number) {
  const { boundary, failures } = ledger;
  if (boundary?.failure?.kind !== "rate_limit") return undefined;
  if (failures.windows > limits.rateLimitWindows) return stop("rate_limited", boundary.failure.message);
  return waitUntil("rate_limited", retryAt(boundary, failures.windows, limits, now), now);
}

/** A provider or a host that may work the next time. */
function triedAgain(kind: keyof typeof AGAIN): Says {
  return ({ ledger: { boundary, failures } }, limits, now) => {
    if (boundary?.failure?.kind !== kind) return undefined;
    const { message } = boundary.failure;
    if (failures.tries > limits.backoffTries) return stop(AGAIN[kind].stops, message);
    const wait = waitUntil(AGAIN[kind].waits, retryAt(boundary, failures.tries, limits, now), now);
    return wait && { ...wait, detail: message.slice(0, LONGEST_DETAIL) };
  };
}

const AGAIN = {
  overload: { waits: "backoff", stops: "provider_error" },
  host: { waits: "host_failed", stops: "host_failed" },
} as const satisfies Partial<Record<Failure["kind"], { waits: WaitReason; stops: StopReason }>>;

const LONGEST_DETAIL = 300;

/** A message that the host did not take is sent again, like a turn that failed; after so many tries with the next event. */
function sendAgainAt({ unsent }: Run["ledger"], { backoffMs, backoffTries }: Limits, now: number): number | undefined {
  if (unsent.tries === 0 || unsent.tries > backoffTries) return undefined;
  const at = unsent.at + Math.min(backoffMs.first * 2 ** (unsent.tries - 1), backoffMs.most);
  return unsent.at <= now && now < at ? at : undefined;
}

/**
 * When the provider said to come back; one that names no time, or a time that was past already, gets the backoff. A failure that
 * lies ahead, since the clock was set back, has waited long enough.
 */
function retryAt({ at, failure }: Boundary, tries: number, { backoffMs }: Limits, now: number): number {
  if (now < at && failure?.resetAt === undefined) return now;
  if (failure?.resetAt !== undefined && failure.resetAt > at) return failure.resumeAt ?? failure.resetAt;
  return at + Math.min(backoffMs.first * 2 ** Math.max(0, tries - 1), backoffMs.most);
}

const FOR_GOOD = {
  context_full: "context_full",
  host_limit: "host_limit",
  refused: "refused",
  other: "provider_error",
} as const satisfies Partial<Record<Failure["kind"], StopReason>>;

function failedForGood({ ledger }: Run) {
  const failure = ledger.boundary?.failure;
  if (!failure || failure.kind === "rate_limit" || failure.kind === "overload" || failure.kind === "host")
    return undefined;
  return stop(FOR_GOOD[failure.kind], failure.message);
}

function nothingFree(run: Run) {
  const found = next(run);
  if (found.status !== "stuck") return undefined;
  const { todos } = run.plan;
  const names = found.todos.map((todo) => `[${todos.indexOf(todo)}] ${whatItWaitsFor(todo, todos)}`);
  return stop("blocked", names.slice(0, 10).join("; ").slice(0, 1000));
}

function noProgress({ ledger: { since } }: Run, limits: Limits) {
  if (since.idle >= limits.idleTurns) return stop("no_progress", `${since.idle} turns in a row without any activity`);
  if (since.still >= limits.stillTurns)
    return stop("no_progress", `${since.still} turns in a row without a new workspace state`);
  if (since.nudged >= limits.nudgedTurns) return stop("no_progress", `${since.nudged} turns since the last progress`);
  return undefined;
}
