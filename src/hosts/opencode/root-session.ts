import { stayAwake } from "../../compose/index.ts";
import type { HostFact, Nudge, Rechecked, Reply, Trigger } from "../../core/react/index.ts";
import type { QueuedWords, Run } from "../../core/run/index.ts";
import { speakerOf } from "../../core/words/index.ts";
import type { Clock, Engine, Settled } from "../../engine/index.ts";
import type { Agents } from "./agents.ts";
import type { Driver } from "./capabilities.ts";
import { createHeldText } from "./held-text.ts";
import { createLaidNudge } from "./laid-nudge.ts";
import { accepted, type Client, dataOf, type Fields, fieldsOf, type TextPart, textAt } from "./payload.ts";
import type { SessionTree } from "./session-tree.ts";
import { OWN_TOOLS } from "./tools.ts";
import { itemsOf, kindsOf, nudgePart, promptText, seenOf, usageOf, voiceOf, wordsPart } from "./translate.ts";
import { createTroubles } from "./troubles.ts";
import { endOf, type TurnOver } from "./turn-over.ts";
import { createTurnWatch } from "./turn-watch.ts";
import { createUsageMeter } from "./usage-meter.ts";
import { heard, type Voice } from "./voice.ts";

export interface Parts {
  readonly client: Client;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly tree: SessionTree;
  readonly agents: Agents;
  readonly driver: Driver;
  /** For the human to read. */
  readonly say: (text: string) => void;
}

/** Long enough to write down how a turn ended; what is waited for after it is not. */
const RECORDING_MS = 1000;
/** An idle this soon after the stored error of a turn that is over is the echo of its first one. */
const ECHO_MS = 5000;
/** How long a text is waited after before it counts as the last: a call that belongs to it mostly follows at once. */
const CALL_FOLLOWS_MS = 150;

/** One model request of the session. */
interface Step {
  readonly agent: string;
  calls: number;
}

/** A root session of OpenCode: its events in our words, and both ways to send it on. */
export function bindRoot(session: string, { client, engine, clock, tree, agents, driver, say }: Parts) {
  const at = { path: { id: session } };
  let voice: Voice = {};
  let turn: string | undefined;
  let ended: string | undefined;
  let turns = 0;
  let isBusy = false;
  let isUnasked = false;
  let errorStoredAt: number | undefined;
  let settling: Promise<unknown> | undefined;
  let refusal: "dismissed" | "denied" | undefined;
  let step: Step = { agent: "", calls: 0 };
  let lastText = "";
  let readOnly: string | undefined;
  const troubles = createTroubles();
  const usage = createUsageMeter();
  const laid = createLaidNudge(client, session);
  const held = createHeldText(pause);
  const watch = createTurnWatch({
    clock,
    tell,
    run,
    turn: () => turn,
    abort: () =>
      client.session.abort(at).then(
        () => {},
        (error: unknown) => say(`tildone failed: ${String(error)}`),
      ),
  });

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
    isStored: held.stored,
    partChanged,
    grew: watch.grew,
    end: watch.end,
    refusal: watch.refusal,
    answered,
    refused,
    backgroundChanged,
    unasked,
    recheck,
    send,
    deliver,
    tell,
    run,
    openWork: () => engine.dueNudge(session),
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
    voice = heard(message, fieldsOf(message.model));
    const id = textAt(message, "id") ?? nextTurn();
    held.prompted(id);
    isUnasked = false;
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
        troubles.forget();
        refusal = undefined;
        troubles.hasRoom();
        await tell({ type: "human.spoke" });
        return begin(id, "human");
      }
    }
  }

  async function begin(id: string, cause?: "human" | "nudge" | "host"): Promise<void> {
    turn = id;
    lastText = "";
    watch.begins();
    await tell({ type: "turn.started", turn: id, ...(cause && { cause }) });
  }

  function nextTurn(): string {
    return `${session}.${clock.now()}.${++turns}`;
  }

  /** A model request begins: what was refused before it was taken as an answer, and a nudge that lies there stands. */
  async function requestStarts(agent: string): Promise<void> {
    step = { agent, calls: 0 };
    isUnasked = false;
    refusal = undefined;
    const standing = laid.stands();
    if (standing !== undefined) await begin(standing, "nudge");
    await watch.requested();
  }

  async function callStarts(call: string): Promise<void> {
    step.calls++;
    if (laid.lies()) await takeBack();
    else if (driver === "loop" && turn === undefined && isLive()) await goesOn();
    await watch.callBegins(call);
  }

  async function callEnds(tool: string, call: string, args: Fields, result: Fields): Promise<void> {
    lastText = "";
    troubles.hasRoom();
    if (tool === "todowrite") await tell(mirrored(args.todos));
    const own = OWN_TOOLS.includes(tool) || kindsOf(tool).includes("@control");
    const { command, ...seen } = seenOf(tool, args, result);
    if (isLive())
      await tell({
        type: "call.seen",
        ...(turn !== undefined && { turn }),
        tool,
        ...seen,
        ...(own ? { own } : command && { command }),
      });
    await watch.callEnds(call);
  }

  /** A call that failed has no hook of its own. */
  async function partChanged(part: Fields): Promise<void> {
    const status = part.type === "tool" ? textAt(fieldsOf(part.state), "status") : undefined;
    if (status === "completed" || status === "error") await watch.callEnds(textAt(part, "callID") ?? "");
  }

  /** In the loop a text that no call follows is the boundary: a message that lies there afterwards makes the loop go on. */
  async function textOver(text: string): Promise<void> {
    const own = step;
    if (own.agent === "compaction") return;
    lastText = text;
    troubles.hasRoom();
    if (driver !== "loop" || own.calls > 0 || laid.lies() || turn === undefined || !isLive()) return;
    await pause(CALL_FOLLOWS_MS);
    if (own.calls > 0 || own !== step) return;
    await takeIn();
    if (own.calls > 0 || own !== step) return;
    held.hold();
    const settled = await settle(leaveTurn());
    held.release();
    if (settled.type === "words") await layWords(settled.words);
    await held.allStored();
    if (own.calls > 0) return isLive() ? goesOn() : undefined;
    if (settled.type === "nudge") await lay(settled.nudge, own);
  }

  async function lay(nudge: Nudge, own: Step): Promise<void> {
    await laid.lay(voice, nudgeOf(nudge));
    if (own.calls > 0) await takeBack(); // a call of the same answer started meanwhile
  }

  async function takeBack(): Promise<void> {
    await Promise.all([laid.takeBack(), goesOn()]);
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
    if (isBusy || isUnasked) return;
    isBusy = true;
    if (turn === undefined && isLive()) await begin(nextTurn());
  }

  async function idle(): Promise<void> {
    const wasUnasked = isUnasked;
    isUnasked = false;
    if (!isBusy) return wasUnasked ? undefined : idleAgain();
    isBusy = false;
    errorStoredAt = undefined;
    laid.stands();
    const over = leaveTurn(); // at once: the next prompt may come while we look
    usage.settled();
    if (!isLive()) return;
    settling = finish(over);
    await settling;
  }

  /** `opencode run` ends with its first idle, and waits for us to write down what that turn came to. */
  async function finished(): Promise<void> {
    if (!settling) return;
    const long = Promise.withResolvers<void>();
    const timer = clock.setTimer(clock.now() + RECORDING_MS, long.resolve);
    await stayAwake(() => Promise.race([settling, long.promise]));
    timer.cancel();
  }

  async function finish(over: TurnOver): Promise<void> {
    if (over.refusal) await tell({ type: "human.interrupt", how: over.refusal });
    if (over.turn !== undefined) {
      await takeIn();
      const settled = await settle(over);
      if (driver === "loop" && settled.type === "nudge") say(cutShort(session));
      if (settled.type === "words") await layWords(settled.words);
    } else if (over.trouble?.type === "aborted") await tell({ type: "human.interrupt", how: "abort" });
  }

  /** A command was answered without a turn; OpenCode still says that the session was busy and is idle again. */
  function unasked(): void {
    isUnasked = !isBusy;
  }

  /** Idle without having worked: the echo of an error, or an abort of the idle session. */
  async function idleAgain(): Promise<void> {
    const isEcho = errorStoredAt !== undefined && clock.now() - errorStoredAt < ECHO_MS;
    errorStoredAt = undefined;
    if (isEcho) return;
    await settling;
    const { boundary, interrupt } = run()?.ledger ?? {};
    // Also where nothing is about to be sent: what you say next is not to set it off.
    const isNews = boundary !== undefined && boundary.status !== "nudged" && interrupt === undefined;
    if (isNews && isLive()) await tell({ type: "human.interrupt", how: "abort" });
  }

  function leaveTurn(): TurnOver {
    const over = { turn, trouble: troubles.take(), refusal, text: lastText, usage: usage.take() };
    ended = turn;
    turn = undefined;
    refusal = undefined;
    return over;
  }

  function settle(over: TurnOver): Promise<Settled> {
    return engine.settle(session, endOf(over));
  }

  /** What may have changed since it was asked last; told only where it did. */
  async function takeIn(): Promise<void> {
    for (const fact of await factsNow()) if (isNews(fact, run())) await tell(fact);
  }

  async function factsNow(others: readonly string[] = []): Promise<readonly HostFact[]> {
    readOnly = await agents.whyNot(voice.agent);
    const below = await tree.busyBelow(session, others);
    return [
      { type: "mode.changed", readOnly: readOnly !== undefined },
      { type: "background.changed", agents: below, awaited: 0 },
    ];
  }

  async function backgroundChanged(): Promise<void> {
    if (isLive()) await tell({ type: "background.changed", agents: await tree.busyBelow(session), awaited: 0 });
  }

  async function failed(error: unknown): Promise<void> {
    if (isBusy) troubles.failed(error, clock.now());
  }

  async function compacted(): Promise<void> {
    if (troubles.compacted() === "hopeless" && isLive()) await client.session.abort(at);
  }

  function refused(how: "dismissed" | "denied"): void {
    if (driver === "idle") refusal = how; // under `run` OpenCode itself refuses every request
  }

  /** An answer of the model changed: what it used so far, and as whom it speaks. */
  async function answered(info: Fields): Promise<void> {
    if (info.error !== undefined && !isBusy) errorStoredAt = clock.now();
    if (info.error !== undefined && isBusy && textAt(info, "parentID") === turn)
      troubles.stored(info.error, clock.now());
    if (info.summary === true) return;
    if (info.error === undefined) {
      voice = heard(info, info);
      usage.saw(textAt(info, "id") ?? "", usageOf(info));
    }
    await watch.answered(info);
  }

  /** The session may work again, be in another mode, or have another list than it told. */
  async function recheck(): Promise<Rechecked & { status: "ready" | "busy" }> {
    const status = await dataOf(client.session.status(undefined));
    if (session in status) return { status: "busy" };
    const todos = run()?.ledger.list === "native" ? await dataOf(client.session.todo(at)) : [];
    const facts = await factsNow(Object.keys(status));
    if (isBusy) return { status: "busy" };
    return { status: "ready", facts: todos.length > 0 ? [...facts, mirrored(todos)] : facts };
  }

  async function send(nudge: Nudge): Promise<void> {
    await accepted(client.session.promptAsync({ ...at, body: { ...voice, parts: [nudgeOf(nudge)] } }));
  }

  function nudgeOf(nudge: Nudge): TextPart {
    return nudgePart(run()?.id ?? "", nudge);
  }

  async function deliver(words: readonly QueuedWords[]): Promise<void> {
    const body = { ...voice, parts: words.map(({ text }) => wordsPart(text)) };
    await accepted(
      driver === "loop"
        ? client.session.prompt({ ...at, body: { ...body, noReply: true } })
        : client.session.promptAsync({ ...at, body }),
    );
  }

  /** Words of yours lie in the loop, which goes on with them. */
  async function layWords(words: readonly QueuedWords[]): Promise<void> {
    const ids = words.map(({ id }) => id);
    const outcome = await deliver(words).then(
      () => ({ type: "words.delivered", ids }) as const,
      (error: unknown) => ({ type: "words.failed", ids, message: String(error) }) as const,
    );
    await tell(outcome);
  }

  function pause(ms: number): Promise<void> {
    return stayAwake(() => new Promise((done) => void clock.setTimer(clock.now() + ms, done)));
  }
}

const mirrored = (todos: unknown): Trigger & { type: "todos.mirror" } => ({
  type: "todos.mirror",
  items: itemsOf(todos),
  by: "model",
});

/** Every trigger is a write to the log: what the run knows is not told again. */
function isNews(fact: HostFact, run: Run | undefined): boolean {
  if (fact.type === "mode.changed") return fact.readOnly !== run?.ledger.readOnly;
  return fact.type !== "background.changed" || fact.agents !== run?.ledger.background.agents;
}

/** No hook of OpenCode's is called for an answer without words, and nothing that is sent after it is taken up. */
const cutShort = (session: string): string =>
  [
    "OpenCode ends after an answer without words, and todos remain.",
    `\`opencode run --session ${session} --command unhold\` goes on; \`tildone run --host opencode\` does so by itself.`,
  ].join(" ");

export type RootSession = ReturnType<typeof bindRoot>;
