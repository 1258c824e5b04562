import type { ContextEvent, ExtensionAPI, ExtensionContext, MessageEndEvent } from "@earendil-works/pi-coding-agent";
import {
  createPrelude,
  onInterrupt,
  projectTrust,
  readWorkflows,
  type Tildone,
  type Whereabouts,
} from "../../compose/index.ts";
import type { Decision, Envelope, Run } from "../../core/run/index.ts";
import { listOf } from "../../core/view/index.ts";
import { driftNotice, type WorkflowState } from "../../core/workflow/index.ts";
import { driftIn } from "../../workflows/index.ts";
import { createAnswers } from "./answers.ts";
import { createBoundary } from "./boundary.ts";
import { createBranch } from "./branch.ts";
import { createCalls } from "./calls.ts";
import { createContext } from "./context.ts";
import { createCountdown } from "./countdown.ts";
import type { PiHost } from "./host.ts";
import { createLimitHeaders } from "./limit-headers.ts";
import { createRenewal, sinceBriefing } from "./new-conversation.ts";
import { type Notices, waitNotice } from "./notices.ts";
import { createQuestions } from "./questions.ts";
import { type ContextShares, createRoom } from "./room.ts";
import { createSessionRun } from "./session-run.ts";
import { clearStatus, showStatus } from "./status.ts";
import type { TodoList } from "./tools/index.ts";
import type { AssistantWords } from "./translate.ts";
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
  /** A new workflow takes the place of the active one where there is no terminal to ask in. */
  readonly replacesWorkflows: boolean;
  /** What is asked for in this session is judged by a check, also without a list. */
  readonly asksCheck: boolean;
  readonly isListShown: boolean;
  readonly shares: ContextShares | undefined;
  readonly takesOver: boolean;
}

/** One session of pi and what tildone does in it: from `session_start` to `session_shutdown`, never longer. */
export function bindSession(parts: Parts) {
  const {
    pi,
    ctx,
    tildone,
    host,
    notices,
    driver,
    here,
    replacesWorkflows,
    asksCheck,
    isListShown,
    shares,
    takesOver,
  } = parts;
  const { engine, clock } = tildone;
  const { sessionManager } = ctx;
  const session = sessionManager.getSessionId();
  const prelude = createPrelude({
    config: tildone.config,
    clock,
    host,
    session,
    say: (text) => host.show(session, { type: "text", text }),
    cwd: ctx.cwd,
  });
  const own = createSessionRun(engine, session, prelude);
  const { run, tell } = own;
  const turns = createTurns(driver);
  const gates = createGates(pi);
  const withList = createContext();
  const questions = createQuestions(driver, tell);
  const branch = createBranch({ pi, sessionManager, tildone, own, notices, takesOver });
  const room = createRoom({ ctx, own, shares, enabled: tildone.config.limits.enabled });
  const answers = createAnswers({ ctx, clock, own, turns, notices });
  const calls = createCalls(own, turns);
  const limits = createLimitHeaders(() => ctx.model?.baseUrl);
  const boundary = createBoundary({ ctx, session, engine, clock, host, own, turns, notices, room, asksCheck, limits });
  const countdown = createCountdown(ctx, clock, () => void tell({ type: "human.interrupt", how: "key" }));
  const list: TodoList = { tell, view: () => listOf(run()), batch: turns.batch };

  let unsaid: string | undefined;

  const unwatch = engine.watch((_session, run, events) => whileAlive(() => changed(run, events), dispose));
  const unheard = isWatched(ctx) ? () => {} : onInterrupt(engine, () => [session]);
  branch.takeOver();
  const before = run();
  if (before) show(before);

  return {
    session,
    tildone,
    list,
    run,
    tell,
    describe: own.describe,
    untilCountedDown: own.untilCountedDown,
    starting: host.starting,
    boundary,
    room,
    settled,
    questions,
    rebase: branch.rebase,
    requestStarts: turns.nextBatch,
    heard,
    answers,
    calls,
    brake: host.brake,
    renew: createRenewal({ engine, session, own }),
    context,
    replacesWorkflows,
    workflows: () => readWorkflows(here),
    projectTrust: () => projectTrust(here),
    reportDrift,
    rename: (name: string) => pi.setSessionName(name),
    say,
    begun: () => engine.begun(session),
    judge: (tool: string) => host.brake.judge() ?? gates.judge(workflow(), tool),
    explain,
    dispose,
  };

  function explain(message: MessageEndEvent["message"]): typeof message | undefined {
    const waits = run()?.status === "live" ? limits.withoutRetry(message, clock.now()) : undefined;
    return waits ?? gates.explain(workflow(), message);
  }

  function workflow(): WorkflowState | undefined {
    return run()?.plan.workflow;
  }

  function context(messages: ContextEvent["messages"]): ContextEvent["messages"] | undefined {
    if (room.isFull()) {
      leaveOff();
      return undefined;
    }
    const sent = sinceBriefing(messages);
    answers.requested(sent);
    const told = withList(sent, run()) ?? (sent === messages ? undefined : sent);
    return withWorkflow(told ?? messages, workflow(), clock.now()) ?? told;
  }

  /** Before its calls are looked at: an answer that spends the budget is the last one. */
  async function heard(message: AssistantWords): Promise<void> {
    if (writesList(message)) prelude.over(); // its run takes what was used along, and judges it
    host.brake.answered(message.content.filter(({ type }) => type === "toolCall").length);
    await answers.ended(message);
  }

  /** The turn cannot go on in so full a context: after a compaction, or not at all. */
  function leaveOff(): void {
    if (room.canMake()) {
      notices.show({ type: "text", text: MAKES_ROOM });
      turns.leaveOff({ for: "room" });
      void room.want();
    } else
      turns.leaveOff({
        for: "good",
        why: `the context window is more than ${(shares?.stopAbove ?? 1) * 100} % full, and pi could not or may not compact it`,
      });
    ctx.abort();
  }

  /** Words in your place: now, after the turn that runs, or when pi has left the boundary that it stands at. */
  function say(text: string): void {
    if (ctx.isIdle())
      host.say(text).catch((error: Error) => {
        if (!own.isClosed()) notices.show({ type: "text", text: `The workflow did not begin: ${error.message}.` });
      });
    else if (turns.current()) pi.sendUserMessage(text, { deliverAs: "followUp" });
    else unsaid = text;
  }

  async function settled(): Promise<void> {
    if (unsaid !== undefined) pi.sendUserMessage(unsaid);
    unsaid = undefined;
    await boundary.settled();
    await room.settled();
  }

  /** The run keeps the definition it started with; you should know when the files say something else. */
  async function reportDrift(): Promise<void> {
    const state = workflow();
    if (state?.status !== "active") return;
    const text = driftNotice(state, driftIn(await readWorkflows(here), state));
    if (text !== undefined) notices.show({ type: "text", text });
  }

  function changed(current: Run, events: readonly Envelope[]): void {
    branch.mirror(current, events);
    if (events.some(({ event }) => isDecision(event, "continue"))) notices.forget();
    const wait = events.some(({ event }) => isDecision(event, "wait")) ? waitNotice(current) : undefined;
    if (wait) notices.show(wait);
    show(current);
  }

  function show(current: Run): void {
    showStatus(ctx, current, isListShown ? "short" : "whole");
    showWorkflow(ctx, current.plan.workflow);
    gates.follow(current.plan.workflow);
    countdown.follow(current);
  }

  function dispose(): void {
    if (own.isClosed()) return;
    own.close();
    unwatch();
    unheard();
    limits.dispose();
    tildone.dispose();
    for (const clear of [countdown.clear, () => clearStatus(ctx), () => showWorkflow(ctx, undefined), gates.restore])
      whileAlive(clear, () => {}); // a session that is gone took all this with it
  }
}

const MAKES_ROOM =
  "The context is nearly full: this turn is cut short, and the work continues when the session is compacted.";

export type BoundSession = ReturnType<typeof bindSession>;

/** A screen or a program reads what pi says, and answers for signals itself. */
const isWatched = ({ mode }: ExtensionContext): boolean => mode === "tui" || mode === "rpc";

const writesList = ({ content }: AssistantWords): boolean =>
  content.some((part) => part.type === "toolCall" && "name" in part && part.name === "write_todos");

const isDecision = (event: Envelope["event"], type: Decision["type"]): boolean =>
  event.type === "decision.made" && event.decision.type === type;
