import { digestOf } from "../core/call/index.ts";
import { awaitedCommands, mayRun, observedBy } from "../core/continuation/index.ts";
import {
  isUnderWay,
  type Ledger,
  type QueuedWords,
  type Run,
  readFailure,
  type StoredDecision,
  wordsWithPrompt,
} from "../core/run/index.ts";
import { oneLine } from "../core/text/index.ts";
import { isFinished } from "../core/todo/index.ts";
import { carriedMark, contextText, speakerOf } from "../core/words/index.ts";
import { contextBlock } from "../core/workflow/index.ts";
import { dueIn, ending } from "./brake-call.ts";
import { type CommandPlace, carryOut } from "./carry-out.ts";
import { type HookCommand, readCommand } from "./command.ts";
import type { Dialect } from "./dialect.ts";
import type { Answer, Carried, EndedCall, EndedCommand, EventName, Happening, Past } from "./happening.ts";
import type { HookHost } from "./host.ts";
import { verdictText } from "./notice-text.ts";
import { bounded, fitting, wordsText } from "./own-words.ts";
import { SERVER_GONE, type ServerState, serverNotice } from "./server-state.ts";

export interface Respondent extends CommandPlace {
  readonly dialect: Dialect;
  /** The moment that is answered. */
  readonly event: EventName;
  readonly host: HookHost;
  readonly now: () => number;
  /** Which of these messages the agent has before its eyes; undefined: the host keeps nothing that says so. */
  readonly heard: (ids: readonly string[]) => Promise<readonly string[] | undefined>;
  /** Our server is not there. */
  readonly server?: ServerState;
  /** A supervisor started the host and tells how its process ended; nobody sits in front of it who could end it. */
  readonly isSupervised: boolean;
}

type Spoken = Exclude<Happening, { type: "call.asked" }>;

/** What a happening means for the run of this session, and what the host is answered, with what you read beside it. */
export async function respond(happening: Spoken, respondent: Respondent): Promise<Answer | undefined> {
  const answer = await answered(happening, respondent);
  const show = respondent.host.shown(happening.type === "prompted");
  if (show === "") return answer;
  return answer ? { ...answer, show } : { type: "show", show };
}

async function answered(happening: Spoken, respondent: Respondent): Promise<Answer | undefined> {
  const { engine, host, session } = respondent;
  const run = engine.run(session);
  const live = run?.status === "live" ? run : undefined;
  switch (happening.type) {
    case "session.started":
      await compacted(live);
      // A process begins with this session, and the turn of the one before it never ended.
      if (live && isInTurn(live) && !happening.afterCompaction && happening.before().how !== "interrupted")
        await engine.tell(session, { type: "host.left" });
      return live && telling([contextOf(live)]);
    case "prompted": {
      const command = happening.from === "human" ? readCommand(happening.text) : undefined;
      if (command && !command.isSentence) return commanded(command, happening.turn);
      if (command) await inPassing(command);
      return live && prompted(happening, live);
    }
    case "calls.ended":
      return ended(happening);
    case "task.completing":
      return live && completing(happening.text, live);
    case "stopped":
      await compacted(live);
      return live && stopped(happening, live);
    case "failed": {
      await compacted(live);
      const { said, turn } = happening;
      // The id of a prompt names its first turn only; a turn that we sent has none.
      const isNamed = turn !== undefined && live?.ledger.turn !== undefined;
      const failure = readFailure(said, respondent.now());
      await engine.tell(session, { type: "turn.ended", outcome: "failed", failure, ...(isNamed && { turn }) });
      return undefined;
    }
    case "aborted":
      // What was written down may be about the turn before the one that runs now.
      if (live && wasCut(live) && (live.ledger.turn?.startedAt ?? 0) <= (happening.at ?? Number.POSITIVE_INFINITY))
        await aborted(happening.failure);
      return undefined;
    case "session.ended": {
      await compacted(live);
      const isTold = happening.limit !== undefined || happening.failure !== undefined;
      if (live && wasCut(live) && (isTold || !respondent.isSupervised))
        await engine.tell(session, { type: "turn.ended", ...endOf(happening, respondent.now()) });
      return undefined;
    }
    case "host.left":
      if (live && wasCut(live) && happening.isGone()) await left(happening);
      return undefined;
    case "compacting":
      await engine.tell(session, { type: "compaction.began" });
      return undefined;
  }

  /** A compaction that fails has no hook: whatever the agent does next, the host is not at it any more. */
  async function compacted(run: Run | undefined): Promise<void> {
    if (run?.ledger.compacting) await engine.tell(session, { type: "compaction.ended" });
  }

  /** What the host's last hooks said meanwhile is better than what we found out. */
  async function left({ wasInterrupted }: Spoken & { type: "host.left" }): Promise<void> {
    engine.look(session);
    const now = engine.run(session);
    if (now?.status !== "live" || !wasCut(now)) return;
    await compacted(now);
    // A supervisor tells how its process ended. The host tells of every turn and began none after our nudge: it had reached its own limit of continuations.
    const isBegun = !respondent.dialect.announcesTurns || now.ledger.turn !== undefined;
    const isAborted = isBegun && !respondent.isSupervised && wasInterrupted();
    await engine.tell(session, isAborted ? { type: "turn.ended", outcome: "aborted" } : { type: "host.left" });
  }

  /** Done, and said to you beside what the agent is told. */
  async function inPassing(command: HookCommand): Promise<void> {
    const answer = await carryOut(command.order, respondent);
    if (answer.type === "deny") host.show(session, { type: "text", text: answer.reason });
  }

  /** A workflow is taken up at once: the agent hears of its first phase with the words that started it. */
  async function commanded(command: HookCommand, turn: string): Promise<Answer> {
    const answer = await carryOut(command.order, respondent);
    if (answer.type !== "tell") return answer;
    await engine.tell(session, { type: "turn.started", turn, cause: "human" });
    const context = [answer.context, contextOf(engine.run(session))].filter((part) => part !== "").join("\n\n");
    return { type: "tell", context: bounded(context) };
  }

  async function prompted({ from, text, turn, before: past }: Spoken & { type: "prompted" }, before: Run) {
    const speaker = speakerOf(before, text);
    if (speaker !== "other" || from === "host") {
      const cause = speaker === "nudge" ? "nudge" : speaker === "words" ? "human" : "host";
      const said = speaker === "words" ? before.ledger.sending.filter((id) => text.includes(carriedMark(id))) : [];
      const { words: heard = [] } = await heardOf(before, said);
      const words = [...said, ...heard];
      await engine.tell(session, { type: "turn.started", turn, cause, words });
      return cause === "host" ? carrying([], "host") : undefined;
    }
    await compacted(before);
    const { words = [] } = before.ledger.turn?.id === turn ? {} : await heardOf(before);
    if (wasCut(before)) await over(before, past());
    await engine.tell(session, { type: "human.spoke" });
    await engine.tell(session, { type: "turn.started", turn, cause: "human", words });
    return carrying([contextOf(before)], "human");
  }

  /** What became of messages whose process ended before it could say so. */
  async function heardOf(
    { ledger }: Run,
    known: readonly string[] = [],
  ): Promise<{ readonly words?: readonly string[] }> {
    const ids = ledger.sending.filter((id) => !known.includes(id));
    const words = ids.length === 0 ? undefined : await respondent.heard(ids);
    return words ? { words } : {};
  }

  /** Messages come first: what follows them may be cut. That they go out is written down before they do. */
  async function carrying(contexts: readonly string[], from: "human" | "host"): Promise<Answer | undefined> {
    const now = engine.run(session);
    const words = now ? fitting(wordsWithPrompt(now, from)) : [];
    if (!now || words.length === 0) return telling(contexts);
    const carries = carriedIn(now, words);
    const reply = await engine.tell(session, { type: "words.send", ids: carries.ids });
    if (reply.type !== "done") return telling(contexts); // the host called two of us, and the other one says it
    const answer = telling([wordsText(words), ...contexts]);
    return answer && { ...answer, carries };
  }

  async function aborted(failure?: string): Promise<void> {
    await compacted(engine.run(session));
    await engine.tell(session, { type: "turn.ended", ...endOf({ failure }, respondent.now()) });
  }

  /** Nobody told how the turn before this prompt ended. A host that is still the same one was interrupted, unless it says otherwise. */
  async function over({ ledger }: Run, past: Past): Promise<void> {
    if (past.how === "failed")
      await engine.tell(session, {
        type: "turn.ended",
        outcome: "failed",
        failure: readFailure({ message: past.failure }, respondent.now()),
      });
    else if (past.how === "interrupted" || (past.how === "unknown" && !ledger.left)) await aborted();
    else if (!ledger.left) await engine.tell(session, { type: "host.left" }); // the turn that begins now ends it
  }

  async function ended({ calls, interrupted, readOnly }: Spoken & { type: "calls.ended" }) {
    for (const call of calls) await callEnded(call);
    await inMode(readOnly);
    if (interrupted) await aborted();
    const due = interrupted
      ? undefined
      : dueIn(await engine.tell(session, { type: "turn.check" }), engine.run(session));
    return due && ending(due, false, respondent.event, respondent);
  }

  async function inMode(readOnly: boolean | undefined): Promise<void> {
    const known = engine.run(session);
    if (readOnly !== undefined && known?.status === "live" && readOnly !== known.ledger.readOnly)
      await engine.tell(session, { type: "mode.changed", readOnly });
  }

  async function callEnded({ tool, args, result, list, command, refused }: EndedCall): Promise<void> {
    if (list && !isOurs(engine.run(session)))
      await engine.tell(session, { type: "todos.mirror", items: list, by: "model" });
    const own = tool.ours !== undefined || tool.kinds.includes("@control") || refused === true;
    await engine.tell(session, {
      type: "call.seen",
      digest: digestOf(tool.name, args, result),
      tool: tool.name,
      ...(own ? { own } : observed(command, engine.run(session))),
    });
  }

  function shows(run: Run | undefined): void {
    const text = run && verdictText(run);
    if (text !== undefined) host.show(session, { type: "text", text: text.replace(/^tildone: /, "") });
  }

  function tellsOfServer(): void {
    const { server, dialect } = respondent;
    if (server) host.show(session, { type: "text", text: serverNotice(server, dialect, session) });
  }

  async function inBackground(
    { agents, commands }: NonNullable<(Spoken & { type: "stopped" })["background"]>,
    run: Run,
  ) {
    const now = { agents, awaited: awaitedCommands(run, commands).length, commands: commands.length };
    if (!isSameWork(now, run.ledger.background)) await engine.tell(session, { type: "background.changed", ...now });
  }

  async function stopped(
    { text, readOnly, background, end, turn, failure }: Spoken & { type: "stopped" },
    before: Run,
  ) {
    const { ledger } = before;
    await inMode(readOnly);
    if (background) await inBackground(background, before);
    const settled = await engine.settle(session, {
      type: "turn.ended",
      ...(failure === undefined
        ? ({ outcome: "completed" } as const)
        : ({ outcome: "failed", failure: readFailure({ message: failure }, respondent.now()) } as const)),
      ...(text !== undefined && { text }),
      ...(end !== undefined && { end }),
      ...(end !== undefined && ledger.endedTurns.includes(end) ? {} : await heardOf(before)),
      ...(isUntold(turn, end, engine.run(session)?.ledger ?? ledger) && { turn }),
    });
    if (settled.type === "nudge") {
      // Most hosts say nothing when the turn begins: our answer is its beginning.
      if (!respondent.dialect.announcesTurns)
        await engine.tell(session, { type: "turn.started", turn: `after-${settled.nudge.id}`, cause: "nudge" });
      if (respondent.dialect.hidesNudges) shows(engine.run(session));
      tellsOfServer();
      return goOn(respondent.server ? `${settled.nudge.text}\n\n${SERVER_GONE}` : settled.nudge.text);
    }
    if (isNewWait(before, engine.run(session))) shows(engine.run(session));
    if (settled.type === "settled") {
      if (isStuck(settled.decision)) tellsOfServer();
      return undefined;
    }
    const words = fitting(settled.words);
    return { ...goOn(wordsText(words)), carries: carriedIn(before, words) };
  }
}

/** It was given up, and not by you. */
const isStuck = (decision: StoredDecision | undefined): boolean =>
  decision?.type === "stop" && (decision.reason === "no_progress" || decision.reason === "no_todos");

/** It waits, and nobody said so yet: the host looks as if it were done. */
function isNewWait({ ledger: { decision: before } }: Run, after: Run | undefined): boolean {
  const decision = after?.ledger.decision;
  if (decision?.type !== "wait" || decision.reason === "human") return false;
  return before?.type !== "wait" || before.reason !== decision.reason;
}

/** The host runs its stop hook whenever the agent settles; a turn without one was cut off by the human, or by a failure. */
const wasCut = ({ ledger, plan }: Run): boolean =>
  isUnderWay(ledger) && (ledger.turn !== undefined || ledger.nudge !== undefined || plan.todos.length > 0);

/** Unlike that: a supervisor's run is written before its host begins, and a host that it starts again has its nudge before it. */
const isInTurn = (run: Run): boolean =>
  run.ledger.turn !== undefined || (wasCut(run) && run.ledger.nudge === undefined && run.ledger.launch === undefined);

function endOf({ limit, failure }: { limit?: string; failure?: string | undefined }, now: number) {
  if (failure !== undefined) return { outcome: "failed", failure: readFailure({ message: failure }, now) } as const;
  if (limit === undefined) return { outcome: "aborted" } as const;
  return { outcome: "failed", failure: { kind: "host_limit", message: limit } } as const;
}

/** Whether a command passed is asked for only where it is the check of something: the answer may stand in a file. */
function observed(command: EndedCommand | undefined, run: Run | undefined) {
  if (!command || run?.status !== "live" || observedBy(run, command.line, true).length === 0) return {};
  const { line, output } = command;
  const passed = command.passed();
  return passed === undefined ? {} : { command: { line, passed, output } };
}

/** Lists that our tools wrote carry their batch; the host's own list is not allowed to replace one. */
const isOurs = (run: Run | undefined): boolean => run?.status === "live" && run.ledger.movedIn !== undefined;

/** The host's own list cannot run checks: an item that has one is completed with our tool, which does. */
function completing(text: string, { plan }: Run): Answer | undefined {
  const index = plan.todos.findIndex((todo) => todo.text === oneLine(text) && !isFinished(todo));
  if (!plan.todos[index]?.checks.some(mayRun)) return undefined;
  return {
    type: "deny",
    reason: `This item has a check. Complete it with edit_todos complete [${index}]: that runs the check.`,
  };
}

/**
 * A turn whose beginning nobody told: its prompt hook failed, or there was no run yet. Whoever is at the boundary before it
 * still waits for it in vain.
 */
function isUntold(turn: string | undefined, end: string | undefined, ledger: Ledger): turn is string {
  const { boundary, nudge, endedTurns } = ledger;
  if (turn === undefined || ledger.turn || nudge || endedTurns.includes(turn)) return false;
  if ((end !== undefined && endedTurns.includes(end)) || isBraked(boundary)) return false;
  return boundary === undefined || boundary.status === "parked" || boundary.status === "stopped";
}

/** What ended the turn still stands: another end of it is no new turn. */
const isBraked = (boundary: Ledger["boundary"]): boolean =>
  boundary?.braked !== undefined && boundary.braked.lifted !== true;

function telling(contexts: readonly string[]) {
  const parts = contexts.filter((part) => part !== "");
  return parts.length === 0 ? undefined : ({ type: "tell", context: bounded(parts.join("\n\n")) } as const);
}

const carriedIn = ({ id }: Run, words: readonly QueuedWords[]): Carried => ({
  run: id,
  ids: words.map(({ id }) => id),
});

const contextOf = (run: Run | undefined): string =>
  run ? [contextBlock(run.plan.workflow) ?? "", contextText(run)].filter((part) => part !== "").join("\n\n") : "";

const goOn = (reason: string) => ({ type: "go_on", reason: bounded(reason) }) as const;

const isSameWork = (a: Ledger["background"] | Work, b: Ledger["background"]): boolean =>
  a.agents === b.agents && a.awaited === b.awaited && (a.commands ?? 0) === (b.commands ?? 0);
type Work = Omit<Ledger["background"], "until">;
