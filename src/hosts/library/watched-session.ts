import { digestOf } from "../../core/call/index.ts";
import type { Nudge, Reply, Trigger } from "../../core/react/index.ts";
import type { Clock, Engine } from "../../engine/index.ts";
import type { Asked } from "./ask.ts";
import { createBackgroundCount } from "./background-count.ts";
import { ignored, resultOf } from "./hook-result.ts";
import type { HookResult, TodoContinuationConfig, TodoContinuationOptions } from "./options.ts";
import { createOutlook } from "./outlook.ts";
import { createProgram } from "./program.ts";
import { createReading } from "./reading.ts";
import type { Toasts } from "./toasts.ts";
import { editsTheList, endOfError, readCall, recoversByItself, type SeenMessage } from "./translate.ts";
import { createWhoseMessage } from "./whose-message.ts";

export interface Parts {
  readonly options: TodoContinuationOptions;
  readonly config: TodoContinuationConfig;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly toasts: Toasts;
}

/**
 * One session of the program: its events in our words, and what it is asked before anything is sent. Whether a turn runs is the run's to
 * know; what is remembered here are small machines.
 *
 *     reading     calm | again                  an idle session that could not be read is read again
 *     whose       silent | awaited              the echo of our prompt is no message
 *     background  off | waiting | counting      work in the background while the run waits for it
 *     outlook     usual | recovering            with the end of the turn, if an error told it before the idle
 */
export function watchSession(session: string, { options, config, engine, clock, toasts }: Parts) {
  const program = createProgram(session, options, clock);
  const outlook = createOutlook();
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
    recheck: program.recheck,
    send,
    follow: background.follow,
    whyReadOnly: program.whyReadOnly,
    dispose,
  };

  async function idle(): Promise<HookResult> {
    const isOvertaken = reading.begins();
    const asked = await program.asked().catch(errorOf);
    if (isOvertaken()) return ignored("It works again.");
    if (asked instanceof Error) return readAgain(asked);
    reading.readable();
    if (asked.status === "stopped") return refused(asked);
    const { facts } = asked;
    if (engine.run(session)?.ledger.nudge?.status === "delivered") await beginTurn();
    for (const fact of program.factsOf(facts)) await tell(fact);
    if (outlook.isRecovering()) await tell({ type: "recovery.began" });
    const end = outlook.takeEnding() ?? facts.end ?? { outcome: "completed" };
    return resultOf(await tell({ type: "turn.ended", ...end }));
  }

  async function send(nudge: Nudge): Promise<void> {
    whose.prompted();
    await program.send(nudge);
  }

  async function failed(error: unknown): Promise<void> {
    const end = endOfError(error, clock.now());
    if (end.outcome === "aborted") {
      reading.overtaken();
      outlook.endsAs(end);
      await tell({ type: "human.interrupt", how: "abort" });
    } else if (isAtWork() && !recoversByItself(error)) outlook.endsAs(end);
    else if (end.outcome === "failed")
      await tell({ type: "host.failed", where: "session", message: end.failure.message });
  }

  async function messageSeen(message: SeenMessage): Promise<void> {
    if (message.role === "user") return userSpoke(message);
    if (!whose.isActivity(message)) return;
    outlook.answers();
    await worked();
  }

  async function userSpoke(message: SeenMessage): Promise<void> {
    if (!whose.isYours(message) || isInGrace()) return;
    reading.overtaken();
    outlook.endsAs(undefined);
    await tell({ type: "human.spoke" });
    await tell({ type: "turn.started", turn: nextTurn(), cause: "human" });
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

  /** A turn that was not announced: it is the nudge's if one went out. */
  async function beginTurn(): Promise<void> {
    const run = engine.run(session);
    if (run?.status === "live" && !run.ledger.turn) await tell({ type: "turn.started", turn: nextTurn() });
  }

  function isAtWork(): boolean {
    const { ledger } = engine.run(session) ?? {};
    return !ledger?.boundary || ledger.turn !== undefined || ledger.boundary.status === "nudged";
  }

  function recovery(status: "usual" | "recovering", trigger: Trigger): void {
    outlook.becomes(status);
    unattended(tell(trigger));
  }

  function readAgain(error: Error): HookResult {
    const message = `The session could not be read: ${error.message}`;
    toasts.say(message, "error");
    return { status: reading.unreadable() ? "waiting" : "stopped", reason: "unreadable", message };
  }

  function refused({ reason, message }: Asked & { status: "stopped" }): HookResult {
    if (reason !== "subagent" && reason !== "not_main") toasts.say(`Not resumed. ${message}`);
    return { status: "stopped", reason, message };
  }

  function nextTurn(): string {
    return `${session}.${count("turns")}`;
  }

  /** For what is not awaited: an error is shown and ends here. */
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

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
