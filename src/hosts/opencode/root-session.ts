import { type Prelude, stayAwake } from "../../compose/index.ts";
import type { HostFact, Reply, Trigger } from "../../core/react/index.ts";
import type { Run } from "../../core/run/index.ts";
import { speakerOf } from "../../core/words/index.ts";
import type { Clock, Engine, Settled } from "../../engine/index.ts";
import { createActivity } from "./activity.ts";
import type { Agents } from "./agents.ts";
import type { Driver } from "./capabilities.ts";
import { lastChoiceIn } from "./last-choice.ts";
import { createLoopBoundary } from "./loop-boundary.ts";
import { type Client, type Fields, fieldsOf, textAt } from "./payload.ts";
import { createPrompter, mirrored } from "./prompter.ts";
import type { SessionTree } from "./session-tree.ts";
import { OWN_TOOLS } from "./tools.ts";
import { kindsOf, lastChoiceOf, promptText, seenOf, usageOf } from "./translate.ts";
import { createTurnFailures } from "./turn-failures.ts";
import { endOf, type TurnOver } from "./turn-over.ts";
import { createTurnState } from "./turn-state.ts";
import { createTurnWatch } from "./turn-watch.ts";
import { createUsageMeter } from "./usage-meter.ts";

export interface Parts {
  readonly client: Client;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly tree: SessionTree;
  readonly agents: Agents;
  readonly driver: Driver;
  /** Judges turns while there is no list. */
  readonly prelude: Prelude;
  /** For the human to read. */
  readonly say: (text: string) => void;
}

/** Long enough to write down how a turn ended; what is waited for after it is not. */
const RECORDING_MS = 1000;

/**
 * A root session of OpenCode: its events in our words, and both ways to continue it. What it remembers are four small machines.
 *
 *     activity   idle | unasked | busy              what OpenCode says of itself
 *     turn       none | running                     the turn as the log knows it
 *     loop       asked | held | a nudge lies there  where `opencode run` is continued
 *     settling   nothing | the end of a turn that is being written down
 */
export function bindRoot(session: string, parts: Parts) {
  const { client, engine, clock, tree, agents, driver, prelude, say } = parts;
  const at = { path: { id: session } };
  const activity = createActivity(clock.now);
  let turns = 0;
  const turn = createTurnState(() => `${session}.${clock.now()}.${++turns}`);
  const prompter = createPrompter(session, { client, tree, agents, driver, run, isBusy: activity.isBusy });
  const loop = createLoopBoundary(session, {
    client,
    clock,
    turn,
    prompter,
    isLive,
    tell,
    begin,
    takeIn,
    settle: () => settle(leaveTurn()),
  });
  let settling: Promise<unknown> = Promise.resolve();
  const failures = createTurnFailures();
  const usage = createUsageMeter();
  const watch = createTurnWatch({
    clock,
    tell,
    run: judged,
    turn: turn.id,
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
    isStored: loop.isStored,
    partChanged,
    grew: watch.grew,
    end: watch.end,
    refusal: watch.refusal,
    answered,
    refused,
    backgroundChanged,
    unasked: activity.unasked,
    recheck: prompter.recheck,
    send: prompter.send,
    deliver: prompter.deliver,
    tell,
    run,
    openWork: () => engine.dueNudge(session),
    whyReadOnly: prompter.whyReadOnly,
    finished,
    close: prelude.over,
  };

  function run(): Run | undefined {
    return engine.run(session);
  }

  async function tell(trigger: Trigger): Promise<Reply> {
    const reply = await engine.tell(session, trigger);
    if (isLive()) prelude.over();
    else await prelude.heard(trigger);
    return reply;
  }

  /** What the turn is judged by: the run, or its limits alone. */
  function judged(): Run | undefined {
    return isLive() ? run() : prelude.run();
  }

  function isLive(): boolean {
    return run()?.status === "live";
  }

  /** Every prompt comes by here, ours included. Own ones are known by their mark, never by time. */
  async function prompted(message: Fields, parts: unknown): Promise<void> {
    prompter.hears(lastChoiceIn(message, fieldsOf(message.model)));
    const id = textAt(message, "id");
    loop.prompted(id ?? "");
    activity.asked();
    switch (lastChoiceOf(parts)) {
      case "nudge":
        if (driver === "idle") await begin("nudge", id); // in the loop it begins with the next request, if it stands
        return;
      case "words":
        return begin("human", id);
      case "other":
        return begin("host", id);
      case "human": {
        const before = run();
        const speaker = before ? speakerOf(before, promptText(parts)) : "other";
        if (speaker !== "other") return begin(speaker === "nudge" ? "nudge" : "human", id); // sent by a supervisor
        failures.forget();
        turn.asks();
        failures.hasRoom();
        await tell({ type: "human.spoke" });
        return begin("human", id);
      }
    }
  }

  async function begin(cause: "human" | "nudge" | "host" | "unknown", named?: string): Promise<void> {
    const id = turn.begins(named);
    watch.begins();
    await tell({ type: "turn.started", turn: id, ...(cause !== "unknown" && { cause }) });
  }

  /** A model request begins: what was refused before it was taken as an answer, and a nudge that lies there stands. */
  async function requestStarts(agent: string): Promise<void> {
    activity.asked();
    turn.asks();
    await loop.asked(agent);
    await watch.requested();
  }

  async function callStarts(call: string): Promise<void> {
    await loop.callStarts(driver);
    await watch.callBegins(call);
  }

  async function callEnds(tool: string, call: string, args: Fields, result: Fields): Promise<void> {
    turn.says("");
    failures.hasRoom();
    if (tool === "todowrite") await tell(mirrored(args.todos));
    const own = OWN_TOOLS.includes(tool) || kindsOf(tool).includes("@control");
    const { command, ...seen } = seenOf(tool, args, result);
    const id = turn.id();
    if (judged())
      await tell({
        type: "call.seen",
        ...(id !== undefined && { turn: id }),
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

  async function textOver(text: string): Promise<void> {
    if (loop.isCompaction()) return;
    turn.says(text);
    failures.hasRoom();
    if (driver === "loop") await loop.textOver();
  }

  /** It works: a turn that nobody announced is the host's own, such as a compaction that somebody asked for. */
  async function worked(): Promise<void> {
    if (activity.works() && turn.id() === undefined && isLive()) await begin("unknown");
  }

  async function idle(): Promise<void> {
    const before = activity.idle();
    if (before === "idle") return idleAgain();
    if (before !== "busy") return;
    loop.over();
    const over = leaveTurn(); // at once: the next prompt may come while we look
    usage.settled();
    if (!isLive()) return prelude.over();
    settling = finish(over);
    await settling;
  }

  /** `opencode run` ends with its first idle, and waits for us to write down what that turn came to. */
  async function finished(): Promise<void> {
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
      if (settled.type === "words") await loop.layWords(settled.words);
    } else if (over.trouble?.type === "aborted") await tell({ type: "human.interrupt", how: "abort" });
  }

  /** Idle without having worked: the idle session was aborted. */
  async function idleAgain(): Promise<void> {
    await settling;
    const { boundary, interrupt } = run()?.ledger ?? {};
    // Also where nothing is about to be sent: what you say next is not to set it off.
    const isNews = boundary !== undefined && boundary.status !== "nudged" && interrupt === undefined;
    if (isNews && isLive()) await tell({ type: "human.interrupt", how: "abort" });
  }

  function leaveTurn(): TurnOver {
    return { refusal: undefined, ...turn.leave(), trouble: failures.take(), usage: usage.take() };
  }

  function settle(over: TurnOver): Promise<Settled> {
    return engine.settle(session, endOf(over));
  }

  /** What may have changed since it was asked last; told only where it did. */
  async function takeIn(): Promise<void> {
    for (const fact of await prompter.facts()) if (isNews(fact, run())) await tell(fact);
  }

  async function backgroundChanged(): Promise<void> {
    if (isLive()) await tell({ type: "background.changed", agents: await tree.busyBelow(session), awaited: 0 });
  }

  async function failed(error: unknown): Promise<void> {
    if (activity.isBusy()) failures.failed(error, clock.now());
  }

  async function compacted(): Promise<void> {
    if (failures.compacted() === "hopeless" && isLive()) await client.session.abort(at);
  }

  function refused(how: "dismissed" | "denied"): void {
    if (driver === "idle") turn.refuses(how); // under `run` OpenCode itself refuses every request
  }

  /** An answer of the model changed: what it used so far, and as whom it speaks. */
  async function answered(info: Fields): Promise<void> {
    if (info.error !== undefined) {
      activity.errorStored();
      if (activity.isBusy() && textAt(info, "parentID") === turn.id()) failures.stored(info.error, clock.now());
    }
    if (info.summary === true) return;
    if (info.error === undefined) {
      prompter.hears(lastChoiceIn(info, info));
      usage.saw(textAt(info, "id") ?? "", usageOf(info));
    }
    await watch.answered(info);
  }
}

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
