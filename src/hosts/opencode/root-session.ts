import { digestOf } from "../../core/call/index.ts";
import { decide, type Limits } from "../../core/continuation/index.ts";
import {
  NO_USAGE,
  type Nudge,
  type QueuedWords,
  type Reply,
  type Run,
  type Trigger,
  type Usage,
} from "../../core/run/index.ts";
import { oneLine } from "../../core/text/index.ts";
import { decisionText, nudgeText, speakerOf } from "../../core/words/index.ts";
import type { Clock, Engine, Settled } from "../../engine/index.ts";
import type { Agents } from "./agents.ts";
import type { Driver } from "./capabilities.ts";
import { accepted, type Client, dataOf, type Fields, fieldsOf, type Model, type TextPart, textAt } from "./payload.ts";
import type { SessionTree } from "./session-tree.ts";
import {
  addUsage,
  blockedTexts,
  itemsOf,
  kindsOf,
  nudgePart,
  promptText,
  type Trouble,
  troubleOf,
  usageOf,
  voiceOf,
  wordsPart,
} from "./translate.ts";

export interface Parts {
  readonly client: Client;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly tree: SessionTree;
  readonly agents: Agents;
  readonly driver: Driver;
}

/** Long enough to write down how a turn ended; what is waited for after it is not. */
const RECORDING_MS = 1000;
/** Nothing takes longer to be stored. */
const STORING_MS = 5000;
/** So often a context is compacted for one and the same answer. */
const MOST_OVERFLOWS = 3;

/** An idle this soon after the stored error of a turn that is over is the echo of its first one. */
const ECHO_MS = 5000;
/** How long a text is waited after before it counts as the last: a call that belongs to it mostly follows at once. */
const CALL_FOLLOWS_MS = 150;

/** Whoever spoke last in a session: a prompt without these would switch it to the default agent. */
interface Voice {
  readonly agent?: string;
  readonly model?: Model;
  readonly variant?: string;
}

/** What is known of a turn when it is over. */
interface Over {
  readonly turn: string | undefined;
  readonly trouble: Trouble | undefined;
  readonly refusal: "dismissed" | "denied" | undefined;
  readonly text: string;
  readonly usage: Usage;
}

/** One model request of the session. */
interface Step {
  readonly agent: string;
  calls: number;
}

/** A root session of OpenCode: its events in our words, and both ways to send it on. */
export function bindRoot(session: string, { client, engine, clock, limits, tree, agents, driver }: Parts) {
  const at = { path: { id: session } };
  let voice: Voice = {};
  let turn: string | undefined;
  let ended: string | undefined;
  let turns = 0;
  let isBusy = false;
  let errorStoredAt: number | undefined;
  let settling: Promise<unknown> | undefined;
  let trouble: Trouble | undefined;
  let overflows = 0;
  let hopeless: Trouble | undefined;
  let refusal: "dismissed" | "denied" | undefined;
  let step: Step = { agent: "", calls: 0 };
  let lastText = "";
  let readOnly: string | undefined;
  let unreported: Usage = NO_USAGE;
  let laid: { readonly message: string; readonly part: string } | undefined;
  let delivering: Promise<unknown> | undefined;
  let isHeld = false;
  let storing: { readonly message: string; readonly done: PromiseWithResolvers<void> } | undefined;
  const used = new Map<string, Usage>();

  return {
    prompted,
    requestStarts,
    callStarts,
    callEnds,
    textOver,
    worked,
    idle,
    failed,
    compacted,
    isStored,
    answered,
    refused,
    backgroundChanged,
    send,
    deliver,
    tell,
    run,
    whyReadOnly: () => readOnly,
    finished,
  };

  function run(): Run | undefined {
    return engine.run(session);
  }

  function tell(trigger: Trigger): Promise<Reply> {
    return engine.tell(session, trigger);
  }

  function isLive(): boolean {
    return run()?.status === "live";
  }

  /** Every prompt comes by here, ours included. Own ones are known by their mark, never by time. */
  async function prompted(message: Fields, parts: unknown): Promise<void> {
    hear(message, fieldsOf(message.model));
    const id = textAt(message, "id") ?? nextTurn();
    if (isHeld) storing = { message: id, done: Promise.withResolvers() };
    switch (voiceOf(parts)) {
      case "nudge":
        if (driver === "idle") await begin(id, "nudge"); // in the loop it begins with the next request, if it stands
        return;
      case "words":
        return begin(id, "human");
      case "other":
        return begin(id, "host");
      case "human": {
        const before = run();
        const speaker = before ? speakerOf(before, promptText(parts)) : "other";
        if (speaker !== "other") return begin(id, speaker === "nudge" ? "nudge" : "human"); // sent by a supervisor
        trouble = undefined;
        refusal = undefined;
        hasRoom();
        await tell({ type: "human.spoke" });
        return begin(id, "human");
      }
    }
  }

  function hear(info: Fields, model: Fields): void {
    const agent = textAt(info, "agent");
    const [providerID, modelID] = [textAt(model, "providerID"), textAt(model, "modelID")];
    const variant = textAt(model, "variant") ?? textAt(info, "variant");
    voice = {
      ...(agent !== undefined && { agent }),
      ...(providerID !== undefined && modelID !== undefined && { model: { providerID, modelID } }),
      ...(variant !== undefined && { variant }),
    };
  }

  async function begin(id: string, cause?: "human" | "nudge" | "host"): Promise<void> {
    turn = id;
    lastText = "";
    await tell({ type: "turn.started", turn: id, ...(cause && { cause }) });
  }

  function nextTurn(): string {
    return `${session}.${clock.now()}.${++turns}`;
  }

  /** A model request begins: what was refused before it was taken as an answer, and a nudge that lies there stands. */
  async function requestStarts(agent: string): Promise<void> {
    step = { agent, calls: 0 };
    refusal = undefined;
    const standing = laid;
    laid = undefined;
    if (standing) await begin(standing.message, "nudge");
  }

  async function callStarts(): Promise<void> {
    step.calls++;
    if (laid) return takeBack(laid);
    if (driver === "loop" && turn === undefined && isLive()) await goesOn();
  }

  async function callEnds(tool: string, args: Fields, result: Fields): Promise<void> {
    lastText = "";
    hasRoom();
    if (tool === "todowrite") return mirror(args.todos);
    if (kindsOf(tool).includes("@control") || !isLive()) return;
    const output = textAt(result, "output") ?? "";
    const line = tool === "bash" ? textAt(args, "command") : undefined;
    const exit = fieldsOf(result.metadata).exit;
    await tell({
      type: "call.seen",
      digest: digestOf(tool, args, output),
      ...(turn !== undefined && { turn }),
      ...(line !== undefined && { command: { line, passed: exit === 0, output } }),
    });
  }

  async function mirror(todos: unknown): Promise<void> {
    await tell({ type: "todos.mirror", items: itemsOf(todos), by: "model" });
    const blocked = blockedTexts(todos).map(oneLine);
    const indices = (run()?.plan.todos ?? []).flatMap(({ text, status }, index) =>
      blocked.includes(text) && status !== "blocked" ? [index] : [],
    );
    const reason = "blocked in the host's own list";
    if (indices.length > 0) await tell({ type: "todos.edit", edit: { action: "block", indices, reason }, by: "model" });
  }

  /** In the loop a text that no call follows is the boundary: a message that lies there afterwards makes the loop go on. */
  async function textOver(text: string): Promise<void> {
    const own = step;
    if (own.agent === "compaction") return;
    lastText = text;
    hasRoom();
    if (driver !== "loop" || own.calls > 0 || laid || turn === undefined || !isLive()) return;
    await pause(CALL_FOLLOWS_MS);
    if (own.calls > 0 || own !== step) return;
    await takeIn();
    if (own.calls > 0 || own !== step) return;
    isHeld = true;
    const settled = await settle(leaveTurn());
    isHeld = false;
    await delivering;
    await stored();
    if (own.calls > 0) return isLive() ? goesOn() : undefined;
    if (settled.type === "nudge") await lay(settled.nudge, own);
  }

  /** Somebody prompted while the text was held. The loop looks when we let go, and ends if the prompt does not lie there yet. */
  async function stored(): Promise<void> {
    if (!storing) return;
    await Promise.race([storing.done.promise, pause(STORING_MS)]);
    storing = undefined;
  }

  function isStored(message: string | undefined): void {
    if (message === storing?.message) storing?.done.resolve();
  }

  async function lay(nudge: Nudge, own: Step): Promise<void> {
    const { info, parts } = await dataOf(
      client.session.prompt({ ...at, body: { ...voice, noReply: true, parts: [nudgeOf(nudge)] } }),
    );
    laid = { message: info.id, part: parts[0]?.id ?? "" };
    if (own.calls > 0) await takeBack(laid); // a call of the same answer started meanwhile
  }

  /** Only the part goes: a message cannot be deleted while the session runs, and an empty one is not sent to the model. */
  async function takeBack({ message, part }: NonNullable<typeof laid>): Promise<void> {
    laid = undefined;
    await goesOn();
    await client._client.delete({
      url: "/session/{id}/message/{message}/part/{part}",
      path: { id: session, message, part },
    });
  }

  /** The text was no end: a call of the same answer follows. */
  async function goesOn(): Promise<void> {
    if (turn !== undefined) return;
    turn = nextTurn();
    const why = "a call followed the text";
    const reply = await tell({ type: "turn.resume", ended: ended ?? "", turn, why });
    if (reply.type === "ignored") await begin(turn, "host");
  }

  /** It works: a turn that nobody announced is the host's own, such as a compaction that somebody asked for. */
  async function worked(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    if (turn === undefined && isLive()) await begin(nextTurn());
  }

  async function idle(): Promise<void> {
    if (!isBusy) return idleAgain();
    isBusy = false;
    errorStoredAt = undefined;
    laid = undefined;
    const over = leaveTurn(); // at once: the next prompt may come while we look
    used.clear();
    if (!isLive()) return;
    settling = finish(over);
    await settling;
  }

  /** `opencode run` ends with its first idle, and waits for us to write down what that turn came to. */
  async function finished(): Promise<void> {
    if (!settling) return;
    const long = Promise.withResolvers<void>();
    const timer = clock.setTimer(clock.now() + RECORDING_MS, long.resolve);
    await Promise.race([settling, long.promise]);
    timer.cancel();
  }

  async function finish(over: Over): Promise<void> {
    if (over.refusal) await tell({ type: "human.interrupt", how: over.refusal });
    if (over.turn !== undefined) {
      await takeIn();
      await settle(over);
    } else if (over.trouble?.type === "aborted") await tell({ type: "human.interrupt", how: "abort" });
  }

  /** Idle without having worked: the echo of an error, or an abort of the idle session. */
  async function idleAgain(): Promise<void> {
    const isEcho = errorStoredAt !== undefined && clock.now() - errorStoredAt < ECHO_MS;
    errorStoredAt = undefined;
    if (isEcho) return;
    await settling;
    const { boundary } = run()?.ledger ?? {};
    const isPending = boundary?.status === "countdown" || boundary?.status === "waiting";
    if (isPending) await tell({ type: "human.interrupt", how: "abort" });
  }

  function leaveTurn(): Over {
    const over = { turn, trouble, refusal, text: lastText, usage: unreported };
    ended = turn;
    turn = undefined;
    trouble = undefined;
    refusal = undefined;
    unreported = NO_USAGE;
    return over;
  }

  function settle({ turn: id, trouble: how, text, usage }: Over): Promise<Settled> {
    const end = { type: "turn.ended", ...(id !== undefined && { turn: id }), usage } as const;
    if (how?.type === "aborted") return engine.settle(session, { ...end, outcome: "aborted" });
    if (how) return engine.settle(session, { ...end, outcome: "failed", failure: how.failure });
    return engine.settle(session, { ...end, outcome: "completed", text });
  }

  /** What may have changed since it was asked last; told only where it did. */
  async function takeIn(others: readonly string[] = []): Promise<void> {
    readOnly = await agents.whyNot(voice.agent);
    await tell({ type: "mode.changed", readOnly: readOnly !== undefined });
    await tell({ type: "background.changed", agents: await tree.busyBelow(session, others), awaited: 0 });
  }

  async function backgroundChanged(): Promise<void> {
    if (isLive()) await tell({ type: "background.changed", agents: await tree.busyBelow(session), awaited: 0 });
  }

  async function failed(error: unknown): Promise<void> {
    if (!isBusy) return;
    const how = troubleOf(error, clock.now());
    if (how?.type === "overflow") overflows++;
    trouble = how?.type === "aborted" && hopeless ? hopeless : how;
  }

  /**
   * OpenCode made room and replays the last prompt: the overflow is over. It does so for ever, whatever comes of it, and only an
   * abort ends it: so that is ours, and the turn failed.
   */
  async function compacted(): Promise<void> {
    if (trouble?.type !== "overflow") return;
    if (overflows >= MOST_OVERFLOWS && isLive()) {
      hopeless = trouble;
      await client.session.abort(at);
    } else trouble = undefined;
  }

  /** The model said or did something: what is compacted now is another matter. */
  function hasRoom(): void {
    overflows = 0;
    hopeless = undefined;
  }

  function refused(how: "dismissed" | "denied"): void {
    if (driver === "idle") refusal = how; // under `run` OpenCode itself refuses every request
  }

  /** An answer of the model changed: what it used so far, and as whom it speaks. */
  function answered(info: Fields): void {
    if (info.error !== undefined && !isBusy) errorStoredAt = clock.now();
    // The event may be missed; the stored error of this very turn says the same.
    if (info.error !== undefined && isBusy && textAt(info, "parentID") === turn)
      trouble ??= troubleOf(info.error, clock.now());
    if (info.summary === true || info.error !== undefined) return;
    hear(info, info);
    const id = textAt(info, "id") ?? "";
    const now = usageOf(info);
    unreported = addUsage(addUsage(unreported, now), used.get(id) ?? NO_USAGE, -1);
    used.set(id, now);
  }

  /** Everything is asked again; what changed is told, and the engine decides anew if it speaks against the nudge. */
  async function send(nudge: Nudge): Promise<void> {
    const status = await dataOf(client.session.status(undefined));
    if (session in status) throw new Error("the session works again");
    const todos = await dataOf(client.session.todo(at));
    await takeIn(Object.keys(status));
    if (todos.length > 0) await mirror(todos);
    const current = run();
    const isCurrent = current?.ledger.nudge?.id === nudge.id && current.ledger.boundary?.id === nudge.boundary;
    const decision = current && decide(current, limits, clock.now());
    if (!isCurrent || isBusy || decision?.type !== "continue")
      throw new Error(`not sent: ${decision ? decisionText(decision) : "the run is gone"}`);
    await accepted(client.session.promptAsync({ ...at, body: { ...voice, parts: [nudgeOf(nudge)] } }));
  }

  function nudgeOf(nudge: Nudge): TextPart {
    const current = run();
    const text = current ? nudgeText(current, nudge.kind, limits.listInNudge, "native") : nudge.text;
    return nudgePart(current?.id ?? "", nudge, text);
  }

  async function deliver(words: readonly QueuedWords[]): Promise<void> {
    const parts = words.map(({ text }) => wordsPart(text));
    const body = { ...voice, parts, ...(driver === "loop" && { noReply: true }) };
    const sending = accepted(client.session[driver === "loop" ? "prompt" : "promptAsync"]({ ...at, body }));
    delivering = sending.catch(() => {});
    await sending;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((done) => void clock.setTimer(clock.now() + ms, done));
  }
}

export type RootSession = ReturnType<typeof bindRoot>;
