import { digestOf } from "../../core/call/index.ts";
import {
  type HostFact,
  IGNORED,
  type Nudge,
  type Rechecked,
  type Reply,
  type Trigger,
} from "../../core/react/index.ts";
import { decisionText } from "../../core/run/index.ts";
import type { Clock, Engine } from "../../engine/index.ts";
import { type Asked, ask, type Facts } from "./ask.ts";
import { createBackgroundCount } from "./background-count.ts";
import type { HookResult, TodoContinuationConfig, TodoContinuationOptions } from "./options.ts";
import { createReading } from "./reading.ts";
import type { Toasts } from "./toasts.ts";
import {
  editsTheList,
  endOfError,
  marked,
  readCall,
  recoversByItself,
  type SeenMessage,
  type TurnEnd,
} from "./translate.ts";
import { createWhoseMessage } from "./whose-message.ts";

export interface Parts {
  readonly options: TodoContinuationOptions;
  readonly config: TodoContinuationConfig;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly toasts: Toasts;
}

/** What the program said last of who works, and how. */
interface Standing {
  readonly agent?: string;
  /** Why the agent must not continue. */
  readonly readOnly?: string;
}

/** How the turn under way ends, if it is known before its idle, and whether the program recovers the session meanwhile. */
interface Outlook {
  readonly status: "usual" | "recovering";
  readonly ending?: TurnEnd;
}

/**
 * One session of the program: its events in our words, and what it is asked before anything is sent. Whether a turn runs is the run's to
 * know; what is remembered here are small machines.
 *
 *     reading     calm | again                  an idle session that could not be read is read again
 *     whose       silent | awaited              the echo of our prompt is nobody's message
 *     background  off | waiting | counting      work in the background while the run waits for it
 *     outlook     usual | recovering            with the end of the turn, if an error told it before the idle
 */
export function watchSession(session: string, { options, config, engine, clock, toasts }: Parts) {
  let standing: Standing = {};
  let outlook: Outlook = { status: "usual" };
  const count = counter();
  const whose = createWhoseMessage();
  const reading = createReading(clock, () => unattended(idle()));
  const background = createBackgroundCount({
    clock,
    run: () => engine.run(session),
    read: async () => options.getBackgroundTaskCount?.(session),
    tell: (agents) => tell({ type: "background.changed", agents, awaited: 0 }),
    failed: showError,
  });

  return {
    idle,
    failed,
    messageSeen,
    callSeen,
    markRecovering: () => recovery("recovering", { type: "recovery.began" }),
    markRecovered: () => recovery("usual", { type: "recovery.ended" }),
    recheck,
    send,
    follow: background.follow,
    whyReadOnly: () => standing.readOnly,
    dispose,
  };

  async function idle(): Promise<HookResult> {
    const isOvertaken = reading.begins();
    const asked = await ask(options, session, clock.now()).catch(errorOf);
    if (isOvertaken()) return ignored("It works again.");
    if (asked instanceof Error) return readAgain(asked);
    reading.readable();
    if (asked.status === "stopped") return refused(asked);
    const { facts } = asked;
    if (!options.injectPrompt && facts.items.length > 0) return refused(NO_PROMPTER);
    if (engine.run(session)?.ledger.nudge?.status === "delivered") await beginTurn();
    for (const fact of factsOf(facts)) await tell(fact);
    if (outlook.status === "recovering") await tell({ type: "recovery.began" });
    const end = outlook.ending ?? facts.end ?? { outcome: "completed" };
    endsAs(undefined);
    const reply = await tell({ type: "turn.ended", ...end });
    return resultOf(reply);
  }

  /** Everything is read anew. A program that does not say whether this session may continue says that it may not. */
  async function recheck(): Promise<Rechecked & { status: "ready" }> {
    const asked = await ask(options, session, clock.now());
    if (asked.status === "stopped") {
      standing = { ...standing, readOnly: asked.message };
      return { status: "ready", facts: [{ type: "mode.changed", readOnly: true }] };
    }
    const { facts } = asked;
    const aborted = facts.end?.outcome === "aborted" ? [{ type: "human.interrupt", how: "abort" } as const] : [];
    return { status: "ready", facts: [...aborted, ...factsOf(facts)] };
  }

  async function send({ id, text }: Nudge): Promise<void> {
    whose.prompted();
    await options.injectPrompt?.(session, marked(text, id), standing.agent);
  }

  /** The list first: it may begin a run. */
  function factsOf({ items, background: agents, readOnly, agent }: Facts): readonly HostFact[] {
    standing = { ...(agent !== undefined && { agent }), ...(readOnly !== undefined && { readOnly }) };
    return [
      { type: "todos.mirror", items, by: "model" },
      { type: "mode.changed", readOnly: readOnly !== undefined },
      ...(agents === undefined ? [] : [{ type: "background.changed", agents, awaited: 0 } as const]),
    ];
  }

  async function failed(error: unknown): Promise<void> {
    const end = endOfError(error, clock.now());
    if (end.outcome === "aborted") {
      reading.overtaken();
      endsAs(end);
      await tell({ type: "human.interrupt", how: "abort" });
    } else if (isAtWork() && !recoversByItself(error)) endsAs(end);
    else if (end.outcome === "failed")
      await tell({ type: "host.failed", where: "session", message: end.failure.message });
  }

  async function messageSeen(message: SeenMessage): Promise<void> {
    if (message.role === "user") return userSpoke(message);
    if (!whose.isActivity(message)) return;
    if (outlook.ending?.outcome === "failed") endsAs(undefined);
    await worked();
  }

  async function userSpoke(message: SeenMessage): Promise<void> {
    if (!whose.isYours(message) || isInGrace()) return;
    reading.overtaken();
    endsAs(undefined);
    await tell({ type: "human.spoke" });
    await tell({ type: "turn.started", turn: nextTurn(), cause: "human" });
  }

  function endsAs(ending: TurnEnd | undefined): void {
    outlook = { status: outlook.status, ...(ending && { ending }) };
  }

  function isInGrace(): boolean {
    const { boundary, decision } = engine.run(session)?.ledger ?? {};
    if (boundary?.status !== "countdown" || decision?.type !== "continue") return false;
    const began = (boundary.until ?? 0) - decision.after;
    return clock.now() - began < config.gracePeriod;
  }

  async function callSeen(data: unknown, isOver: boolean): Promise<void> {
    await worked();
    const { tool, args, result } = readCall(data);
    if (!isOver || editsTheList(tool)) return;
    // A program that tells nothing of its calls: each is news, and the run still ends by the other limits.
    const digest = data === undefined || data === null ? `call ${count("calls")}` : digestOf(tool, args, result);
    await tell({ type: "call.seen", digest });
  }

  async function worked(): Promise<void> {
    reading.overtaken();
    await beginTurn();
  }

  /** A turn that nobody announced: it is the nudge's if one went out. */
  async function beginTurn(): Promise<void> {
    const run = engine.run(session);
    if (run?.status === "live" && !run.ledger.turn) await tell({ type: "turn.started", turn: nextTurn() });
  }

  function isAtWork(): boolean {
    const { ledger } = engine.run(session) ?? {};
    return !ledger?.boundary || ledger.turn !== undefined || ledger.boundary.status === "nudged";
  }

  function recovery(status: Outlook["status"], trigger: Trigger): void {
    outlook = { ...outlook, status };
    unattended(tell(trigger));
  }

  function readAgain(error: Error): HookResult {
    const message = `The session could not be read: ${error.message}`;
    toasts.say(message, "error");
    return { status: reading.unreadable() ? "waiting" : "stopped", reason: "unreadable", message };
  }

  function refused({ reason, message }: Refusal): HookResult {
    if (reason !== "subagent" && reason !== "not_main") toasts.say(`Not resumed. ${message}`);
    return { status: "stopped", reason, message };
  }

  function nextTurn(): string {
    return `${session}.${count("turns")}`;
  }

  /** For what nobody waits for: an error is shown and ends here. */
  function unattended(work: Promise<unknown>): void {
    work.catch(showError);
  }

  function showError(error: unknown): void {
    toasts.say(errorOf(error).message, "error");
  }

  function tell(trigger: Trigger): Promise<Reply> {
    return engine.tell(session, trigger);
  }

  function dispose(): void {
    reading.overtaken();
    background.drop();
  }
}

/** Counts each kind from 1. */
function counter(): (what: "turns" | "calls") => number {
  const counts = { turns: 0, calls: 0 };
  return (what) => ++counts[what];
}

export type WatchedSession = ReturnType<typeof watchSession>;

type Refusal = Pick<Extract<Asked, { status: "stopped" }>, "reason" | "message">;

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const NO_PROMPTER: Refusal = {
  reason: "unanswered",
  message: "There is no injectPrompt, so nothing can be sent.",
};

function resultOf(reply: Reply): HookResult {
  if (reply.type === "ignored") return { status: "ignored", reason: reply.why, message: IGNORED[reply.why] };
  if (reply.type !== "decided") return ignored("Nothing was decided.");
  const { decision } = reply;
  const message = decisionText(decision);
  switch (decision.type) {
    case "continue":
      return { status: "counting_down", reason: decision.kind, message };
    case "wait":
      return { status: "waiting", reason: decision.reason, message };
    case "stop":
      return { status: "stopped", reason: decision.reason, message };
  }
}

const ignored = (message: string): HookResult => ({ status: "ignored", reason: "nothing_to_do", message });
