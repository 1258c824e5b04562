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
import type { Clock, Engine, Timer } from "../../engine/index.ts";
import { type Asked, ask, type Facts } from "./ask.ts";
import type { HookResult, TodoContinuationConfig, TodoContinuationOptions } from "./options.ts";
import type { Toasts } from "./toasts.ts";
import {
  editsTheList,
  endOfError,
  isMarked,
  marked,
  readCall,
  recoversByItself,
  type SeenMessage,
  type TurnEnd,
} from "./translate.ts";

export interface Parts {
  readonly options: TodoContinuationOptions;
  readonly config: TodoContinuationConfig;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly toasts: Toasts;
}

/** How soon what could not be read is read again: 5 s, then twice as long each time. */
const READ_AGAIN_MS = 5_000;
const READ_TRIES = 5;
/** How often background work is counted while somebody waits for it. */
const COUNT_EVERY_MS = 1_000;

/** One session of the program: its events in our words, and what it is asked before anything is sent. */
export function watchSession(session: string, { options, config, engine, clock, toasts }: Parts) {
  let events = 0; // whoever reads across an await looks whether something happened meanwhile
  let turns = 0;
  let calls = 0;
  let tries = 0;
  let ending: TurnEnd | undefined;
  let recovering = false;
  let awaitsEcho = false;
  let lastUser: string | undefined;
  let readOnly: string | undefined;
  let agent: string | undefined;
  let again: Timer | undefined;
  let counting: Timer | undefined;
  const answered = new Set<string>();

  return {
    idle,
    failed,
    messageSeen,
    callSeen,
    markRecovering,
    markRecovered,
    recheck,
    send,
    follow,
    whyReadOnly: () => readOnly,
    dispose,
  };

  async function idle(): Promise<HookResult> {
    const before = events;
    const asked = await ask(options, session, clock.now()).catch(errorOf);
    if (events !== before) return ignored("It works again.");
    if (asked instanceof Error) return readAgain(asked);
    tries = 0;
    if (asked.status === "stopped") return refused(asked);
    const { facts } = asked;
    if (!options.injectPrompt && facts.items.length > 0) return refused(NO_PROMPTER);
    if (engine.run(session)?.ledger.nudge?.status === "delivered") await beginTurn();
    for (const fact of factsOf(facts)) await tell(fact);
    if (recovering) await tell({ type: "recovery.began" });
    const end = ending ?? facts.end ?? { outcome: "completed" };
    ending = undefined;
    const reply = await tell({ type: "turn.ended", ...end });
    return resultOf(reply);
  }

  /** Everything is read anew. A program that does not say whether this session may continue says that it may not. */
  async function recheck(): Promise<Rechecked & { status: "ready" }> {
    const asked = await ask(options, session, clock.now());
    if (asked.status === "stopped") {
      readOnly = asked.message;
      return { status: "ready", facts: [{ type: "mode.changed", readOnly: true }] };
    }
    const { facts } = asked;
    agent = facts.agent;
    const aborted = facts.end?.outcome === "aborted" ? [{ type: "human.interrupt", how: "abort" } as const] : [];
    return { status: "ready", facts: [...aborted, ...factsOf(facts)] };
  }

  async function send({ id, text }: Nudge): Promise<void> {
    awaitsEcho = true;
    await options.injectPrompt?.(session, marked(text, id), agent);
  }

  /** The list first: it may begin a run. */
  function factsOf(facts: Facts): readonly HostFact[] {
    readOnly = facts.readOnly;
    const { background: agents } = facts;
    return [
      { type: "todos.mirror", items: facts.items, by: "model" },
      { type: "mode.changed", readOnly: readOnly !== undefined },
      ...(agents === undefined ? [] : [{ type: "background.changed", agents, awaited: 0 } as const]),
    ];
  }

  async function failed(error: unknown): Promise<void> {
    const end = endOfError(error, clock.now());
    if (end.outcome === "aborted") {
      events++;
      again?.cancel();
      ending = end;
      await tell({ type: "human.interrupt", how: "abort" });
    } else if (isAtWork() && !recoversByItself(error)) ending = end;
    else if (end.outcome === "failed")
      await tell({ type: "host.failed", where: "session", message: end.failure.message });
  }

  async function messageSeen(message: SeenMessage): Promise<void> {
    if (message.role === "user") return userSpoke(message);
    // An answer that carries an error is no activity, and neither is the echo of one that was over before.
    const isEcho = message.id !== undefined && answered.has(message.id);
    if (message.role !== "assistant" || message.error !== undefined || isEcho) return;
    if (message.id !== undefined) remember(message.id);
    if (ending?.outcome === "failed") ending = undefined;
    await worked();
  }

  async function userSpoke({ id, text }: SeenMessage): Promise<void> {
    const isOld = id !== undefined && id === lastUser;
    if (id !== undefined) lastUser = id;
    if (isOld) return;
    if (text !== undefined ? isMarked(text) : awaitsEcho) {
      awaitsEcho = false;
      return;
    }
    if (isInGrace()) return;
    events++;
    again?.cancel();
    ending = undefined;
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
    const digest = data === undefined || data === null ? `call ${++calls}` : digestOf(tool, args, result);
    await tell({ type: "call.seen", digest });
  }

  async function worked(): Promise<void> {
    events++;
    again?.cancel();
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

  function markRecovering(): void {
    recovering = true;
    unattended(tell({ type: "recovery.began" }));
  }

  function markRecovered(): void {
    recovering = false;
    unattended(tell({ type: "recovery.ended" }));
  }

  /** While somebody waits for background work it is counted again and again: nobody tells when it ends. */
  function follow(): void {
    const { decision, boundary } = engine.run(session)?.ledger ?? {};
    const isAwaited = boundary?.status === "waiting" && decision?.type === "wait" && decision.reason === "background";
    if (!isAwaited) {
      counting?.cancel();
      counting = undefined;
    } else counting ??= clock.setTimer(clock.now() + COUNT_EVERY_MS, () => unattended(count()));
  }

  async function count(): Promise<void> {
    const agents = await background().catch(errorOf); // counted again in a second; the deadline ends it
    counting = undefined;
    if (typeof agents === "number") await tell({ type: "background.changed", agents, awaited: 0 });
    follow();
  }

  async function background(): Promise<number | null | undefined> {
    return options.getBackgroundTaskCount?.(session);
  }

  function readAgain(error: Error): HookResult {
    const message = `The session could not be read: ${error.message}`;
    toasts.say(message, "error");
    if (++tries <= READ_TRIES) {
      const pause = READ_AGAIN_MS * 2 ** (tries - 1);
      again = clock.setTimer(clock.now() + pause, () => unattended(idle()));
      return { status: "waiting", reason: "unreadable", message };
    }
    tries = 0;
    return { status: "stopped", reason: "unreadable", message };
  }

  function refused({ reason, message }: Refusal): HookResult {
    if (reason !== "subagent" && reason !== "not_main") toasts.say(`Not resumed. ${message}`);
    return { status: "stopped", reason, message };
  }

  function remember(id: string): void {
    answered.add(id);
    const [oldest] = answered;
    if (answered.size > 100 && oldest !== undefined) answered.delete(oldest);
  }

  function nextTurn(): string {
    return `${session}.${++turns}`;
  }

  /** For what nobody waits for: an error is shown and ends here. */
  function unattended(work: Promise<unknown>): void {
    work.catch((error: unknown) => toasts.say(errorOf(error).message, "error"));
  }

  function tell(trigger: Trigger): Promise<Reply> {
    return engine.tell(session, trigger);
  }

  function dispose(): void {
    again?.cancel();
    counting?.cancel();
    events++;
  }
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
