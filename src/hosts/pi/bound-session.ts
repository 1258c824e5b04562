import type {
  AgentBeforeSettleEvent,
  BoundaryResult,
  ContextEvent,
  ExtensionAPI,
  ExtensionContext,
  InputEvent,
  MessageEndEvent,
} from "@earendil-works/pi-coding-agent";
import { projectTrust, readWorkflows, type Tildone, type Whereabouts } from "../../compose/index.ts";
import { digestOf } from "../../core/call/index.ts";
import type { Decision } from "../../core/continuation/index.ts";
import type { Reply, Run, RunEvent, Trigger } from "../../core/run/index.ts";
import { decisionText, WORKFLOW_TOOL } from "../../core/words/index.ts";
import { driftNotice, type WorkflowState } from "../../core/workflow/index.ts";
import type { Stored } from "../../engine/index.ts";
import { driftIn } from "../../workflows/index.ts";
import { withContext } from "./context.ts";
import { createCountdown } from "./countdown.ts";
import type { PiHost } from "./host.ts";
import { type Notices, waitNotice } from "./notices.ts";
import { nudgeMessage, wordsMessage } from "./nudge-message.ts";
import { heldMessages, mirroredUpTo, PLAN_ENTRY, planEntries, planOnBranch } from "./session-state.ts";
import { clearStatus, showStatus } from "./status.ts";
import { TODO_TOOL_NAMES, type TodoList } from "./tools/index.ts";
import { commandOf, type EndedResult, turnEnded } from "./translate.ts";
import { createTurns } from "./turns.ts";
import { whileAlive } from "./while-alive.ts";
import { createGates, showWorkflow, withWorkflow } from "./workflow/index.ts";

export interface Parts {
  readonly pi: ExtensionAPI;
  readonly ctx: ExtensionContext;
  readonly tildone: Tildone;
  readonly host: PiHost;
  readonly notices: Notices;
  readonly driver: string;
  readonly here: Whereabouts;
  /** A new workflow takes the place of the active one where nobody can be asked. */
  readonly replacesWorkflows: boolean;
}

/** One session of pi and what tildone does in it: from `session_start` to `session_shutdown`, never longer. */
export function bindSession({ pi, ctx, tildone, host, notices, driver, here, replacesWorkflows }: Parts) {
  const { engine, store, clock } = tildone;
  const { sessionManager } = ctx;
  const session = sessionManager.getSessionId();
  const turns = createTurns(driver);
  const gates = createGates(pi);
  const countdown = createCountdown(ctx, clock, () => void tell({ type: "human.interrupt", how: "key" }));
  const questions: string[] = [];
  let asked = 0;
  let granted: string | undefined;
  let wordsComing = false;
  let yielded = false;
  let disposed = false;
  let unsaid: string | undefined;

  const unwatch = engine.watch((_session, run, events) => whileAlive(() => changed(run, events), dispose));
  takeOver();

  const list: TodoList = { tell, todos: () => run()?.plan.todos ?? [], batch: turns.batch };

  return {
    session,
    tildone,
    list,
    tell,
    run,
    rebase,
    describe,
    starting: host.starting,
    untilCountedDown,
    input,
    turnStarts,
    requestStarts: turns.nextBatch,
    heard: turns.heard,
    callEnded,
    boundary,
    settled,
    context,
    replacesWorkflows,
    workflows: () => readWorkflows(here),
    projectTrust: () => projectTrust(here),
    reportDrift,
    rename: (name: string) => pi.setSessionName(name),
    say,
    judge: (tool: string) => gates.judge(workflow(), tool),
    explain: (message: MessageEndEvent["message"]) => gates.explain(workflow(), message),
    questionOpened,
    questionClosed,
    dispose,
  };

  function run(): Run | undefined {
    return disposed ? undefined : engine.run(session);
  }

  function workflow(): WorkflowState | undefined {
    return run()?.plan.workflow;
  }

  function context(messages: ContextEvent["messages"]): ContextEvent["messages"] | undefined {
    const told = withContext(messages, run(), clock.now());
    return withWorkflow(told ?? messages, workflow(), clock.now()) ?? told;
  }

  /** Words in the human's place: now, after the turn that runs, or when pi has left the boundary that it stands at. */
  function say(text: string): void {
    if (ctx.isIdle())
      host.say(text).catch((error: Error) => {
        if (!disposed) notices.show({ type: "text", text: `The workflow did not begin: ${error.message}.` });
      });
    else if (turns.current()) pi.sendUserMessage(text, { deliverAs: "followUp" });
    else unsaid = text;
  }

  /** The run keeps the definition it started with; the human should know when the files say something else. */
  async function reportDrift(): Promise<void> {
    const state = workflow();
    if (state?.status !== "active") return;
    const text = driftNotice(state, driftIn(await readWorkflows(here), state));
    if (text !== undefined) notices.show({ type: "text", text });
  }

  async function tell(trigger: Trigger): Promise<Reply> {
    return disposed ? { type: "ignored", why: "no_run" } : engine.tell(session, trigger);
  }

  /** Takes the session's run over: what the log has and the session lacks is copied, then the branch has the word. */
  function takeOver(): void {
    const before = run();
    if (before) {
      const missing = store.log.read(before.id, mirroredUpTo(sessionManager, before.id)).events;
      for (const entry of planEntries(before.id, missing)) pi.appendEntry(PLAN_ENTRY, entry);
      engine.open(session, { goOn: false, delivered: heldMessages(sessionManager, before.id) });
      const { boundary } = run()?.ledger ?? {};
      if (boundary?.status === "parked")
        notices.show({ type: "text", text: CUT_OFF[before.ledger.nudge ? "nudge" : "turn"] });
    }
    const after = run();
    if (after) show(after);
  }

  /** The list as the current branch has it. The ledger stays: going back in the tree undoes no hold. */
  async function rebase(): Promise<void> {
    const { plan, run: parent, damaged } = planOnBranch(sessionManager);
    const before = run();
    for (const problem of damaged) notices.show({ type: "text", text: `The list may be incomplete: ${problem}.` });
    if (damaged.length > 0 && before) return; // the log knows better than half a branch
    const isForeign = parent !== undefined && parent !== before?.id;
    await tell({ type: "plan.rebase", plan, ...(isForeign && { parent }) });
  }

  async function questionOpened(): Promise<void> {
    questions.push(`${driver}.q${++asked}`);
    await tell({ type: "question.opened", id: questions.at(-1)! });
  }

  /** pi does not say which prompt was closed; that each is closed once is enough. */
  async function questionClosed(): Promise<void> {
    const id = questions.pop();
    if (id !== undefined) await tell({ type: "question.closed", id });
  }

  /** Words of the human; what extensions send, ours included, is not. */
  async function input({ source, streamingBehavior }: InputEvent): Promise<void> {
    if (source === "extension") return;
    wordsComing = streamingBehavior !== undefined;
    await tell({ type: "human.spoke" });
  }

  async function turnStarts(): Promise<void> {
    granted = undefined;
    wordsComing = false;
    host.started();
    const turn = turns.begin();
    if (turn !== undefined) await tell({ type: "turn.started", turn });
  }

  async function callEnded(tool: string, args: unknown, result: EndedResult): Promise<void> {
    if (TODO_TOOL_NAMES.includes(tool) || tool === WORKFLOW_TOOL.name) return;
    const turn = turns.current()?.turn;
    const command = commandOf(tool, args, result);
    await tell({
      type: "call.seen",
      digest: digestOf(tool, args, result),
      ...(turn !== undefined && { turn }),
      ...(command && { command }),
    });
  }

  /** The one place where the run goes on: the answer is an entry and one more request, inside the boundary. */
  async function boundary(event: AgentBeforeSettleEvent): Promise<BoundaryResult | undefined> {
    if (event.context.pendingMessages.length > 0) return undefined; // the turn goes on with them
    if (event.continue) return yieldToOther();
    const facts = turns.end();
    if (!facts || run()?.status !== "live") return undefined;
    host.openBoundary();
    const settled = await engine.settle(session, turnEnded(event.outcome, facts, clock.now()));
    const words = host.closeBoundary();
    const current = run();
    if (!current) return undefined;
    if (words.length > 0) return goOn(event, words.map(wordsMessage));
    if (settled.type === "nudge") {
      granted = settled.nudge.id;
      return goOn(event, [nudgeMessage(current.id, settled.nudge)]);
    }
    await untilQueued();
    return undefined;
  }

  /** pi queues the words after our input handler; to leave before would strand them in the queue. */
  async function untilQueued(): Promise<void> {
    for (let turn = 0; turn < 100 && wordsComing && !disposed && !ctx.hasPendingMessages(); turn++)
      await new Promise((done) => setImmediate(done));
  }

  function yieldToOther(): undefined {
    if (!yielded && run()?.status === "live")
      notices.show({
        type: "text",
        text: "Another extension sends this session on; tildone steps back until it stops.",
      });
    yielded = true;
    return undefined;
  }

  /** The run of pi is over. A turn that never came to its boundary was aborted, and so was a nudge that started none. */
  async function settled(): Promise<void> {
    yielded = false;
    if (unsaid !== undefined) pi.sendUserMessage(unsaid);
    unsaid = undefined;
    const facts = turns.end();
    const nudge = granted;
    granted = undefined;
    if (facts) await tell(turnEnded("aborted", facts, clock.now()));
    if (nudge === undefined) return;
    notices.show({ type: "text", text: `A continuation did not begin: ${ENDED_AT_BOUNDARY}.` });
    await tell({ type: "human.interrupt", how: "abort" });
    await tell({ type: "nudge.failed", nudge, message: ENDED_AT_BOUNDARY });
  }

  /** Resolves when no countdown of an idle session is under way. */
  async function untilCountedDown(): Promise<void> {
    while (run()?.ledger.boundary?.status === "countdown") {
      const changed = Promise.withResolvers<void>();
      const off = engine.watch(() => changed.resolve());
      await changed.promise;
      off();
    }
  }

  /** How the run stands, in a sentence. */
  function describe(): string {
    const { ledger, status } = run() ?? {};
    if (!ledger) return "There is no run in this session.";
    if (status === "ended") return `Over: ${ledger.endReason}.`;
    if (ledger.turn || ledger.nudge) return "Goes on.";
    return ledger.decision ? decisionText(ledger.decision) : "Nothing has been decided yet.";
  }

  function changed(current: Run, events: readonly Stored[]): void {
    for (const entry of planEntries(current.id, events)) pi.appendEntry(PLAN_ENTRY, entry);
    if (events.some(({ event }) => isDecision(event, "continue"))) notices.forget();
    const wait = events.some(({ event }) => isDecision(event, "wait")) ? waitNotice(current) : undefined;
    if (wait) notices.show(wait);
    show(current);
  }

  function show(current: Run): void {
    showStatus(ctx, current);
    showWorkflow(ctx, current.plan.workflow);
    gates.follow(current.plan.workflow);
    countdown.follow(current);
  }

  function dispose(): void {
    if (disposed) return;
    disposed = true;
    unwatch();
    tildone.dispose();
    for (const clear of [countdown.clear, () => clearStatus(ctx), () => showWorkflow(ctx, undefined), gates.restore])
      whileAlive(clear, () => {}); // a session that is gone took all this with it
  }
}

export type BoundSession = ReturnType<typeof bindSession>;

const isDecision = (event: Stored["event"], type: Decision["type"]): boolean =>
  event.type === "decision.made" && (event as RunEvent & { type: "decision.made" }).decision.type === type;

const goOn = (
  { entries }: AgentBeforeSettleEvent,
  messages: readonly { customType: string; content: string; display: boolean; details: unknown }[],
): BoundaryResult => ({
  continue: true,
  entries: [...entries, ...messages.map((message) => ({ type: "custom_message" as const, ...message }))],
});

/** pi tells nobody which of the two it was; either way somebody wants it to stop. */
const ENDED_AT_BOUNDARY = "an abort or another extension ended the run at the boundary";

const CUT_OFF = {
  nudge: "A continuation was cut off before it went out. Say what to do, or /unhold to go on.",
  turn: "The last turn was cut off in the middle of the work. Say what to do, or /unhold to go on.",
} as const;
