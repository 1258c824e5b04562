import { SessionManager } from "@earendil-works/pi-coding-agent";
import { stayAwake } from "../compose/index.ts";
import { yoloText } from "../core/call/index.ts";
import type { PlanItem } from "../core/plan/index.ts";
import type { Trigger } from "../core/react/index.ts";
import type { Envelope, Launch, ModelChoice, Run } from "../core/run/index.ts";
import type { Update } from "../scheduler/index.ts";
import { type Agent, type AgentOptions, openAgent } from "./open-agent.ts";
import { type Outcome, outcomeOf, unrecorded } from "./outcome.ts";
import { listOf, writtenByPlan } from "./plan-list.ts";

/** What a headless run tells the one who watches, in order. */
export type Progress =
  | { readonly type: "event"; readonly event: Envelope; readonly run: Run }
  | { readonly type: "call"; readonly update: Update }
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "fault"; readonly message: string };

export interface HeadlessOptions extends Omit<AgentOptions, "bindings" | "onFault" | "onSaid"> {
  /** What the agent is told first, if it begins anew; a command such as `/workflow` works too. */
  readonly prompt: string;
  readonly todos?: readonly string[];
  /** The list of a plan file; it is the user's. */
  readonly plan?: readonly PlanItem[];
  /** The session to continue in, by its id. */
  readonly session?: string;
  /** The run of that session is continued, instead of a prompt; with what you say, allow or ask for on top. */
  readonly resume?: Resume;
  /** What the next `--resume` uses again. */
  readonly launch?: Launch;
  /** The model as the user named it, to be remembered with the run. */
  readonly chosen?: ModelChoice;
  readonly onProgress: (progress: Progress) => void;
  /** Aborted once: the call that runs is finished, then the run stops. Its reason is the exit code. */
  readonly stop?: AbortSignal;
  /** Aborted: everything stops now. */
  readonly stopNow?: AbortSignal;
  readonly onOpen?: (agent: Agent) => void;
}

export type Resume = Pick<Trigger & { type: "human.resume" }, "words" | "budget" | "checks">;

export interface Headless {
  readonly outcome: Outcome;
  readonly run: Run | undefined;
  readonly session: string;
}

/** Works until the list is done, or there is a reason to stop. pi waits at its boundary for as long as a wait takes. */
export const runHeadless = (options: HeadlessOptions): Promise<Headless> => stayAwake(() => headless(options));

async function headless(options: HeadlessOptions): Promise<Headless> {
  const {
    onProgress,
    prompt,
    todos = [],
    stop,
    stopNow,
    onOpen,
    session: named,
    plan = [],
    chosen,
    launch,
    ...rest
  } = options;
  const agent = await openAgent({
    ...rest,
    ...(named !== undefined && { sessionManager: sessionNamed(rest.cwd, named) }),
    bindings: { mode: "print" },
    onSaid: (text) => onProgress({ type: "notice", text }),
    onFault: (message) => onProgress({ type: "fault", message }),
  });
  const { session, tildone, scheduler } = agent;
  const { mode, protectInYolo } = tildone.config.approval;
  if (mode === "yolo") onProgress({ type: "notice", text: yoloText(protectInYolo) });
  const key = session.sessionManager.getSessionId();
  /** A signal after the end is not meant for this run. */
  const over = new AbortController();
  try {
    const unwatch = tildone.engine.watch((_session, run, events) => {
      if (chosen && run.status === "live" && !isSame(run.ledger.model, chosen))
        queueMicrotask(() => void tildone.engine.tell(key, { type: "model.chosen", ...chosen }));
      if (launch && run.status === "live" && JSON.stringify(run.ledger.launch) !== JSON.stringify(launch))
        queueMicrotask(() => void tildone.engine.tell(key, { type: "run.launch", launch }));
      for (const event of events) onProgress({ type: "event", event, run });
    });
    scheduler.observe((update) => onProgress({ type: "call", update }));
    session.subscribe((event) => {
      if (event.type !== "message_end" || event.message.role !== "assistant") return;
      const text = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (text.trim() !== "") onProgress({ type: "said", text });
    });
    onOpen?.(agent);
    const list = listOf(plan, todos);
    const problem = list.length > 0 ? await layDown(tildone.engine, key, list) : undefined;
    if (problem !== undefined)
      return { outcome: { reason: "no_run", says: problem, exit: 2 }, run: undefined, session: key };
    if (list.length === 0 && options.goal !== undefined) await tildone.engine.tell(key, { type: "goal.set" });
    stop?.addEventListener("abort", () => void wind(agent, key), { signal: over.signal });
    stopNow?.addEventListener("abort", () => void session.abort(), { signal: over.signal });
    const refusal = stop?.aborted ? undefined : await begin(agent, key, options);
    if (refusal !== undefined)
      return { outcome: { reason: "no_run", says: refusal, exit: 2 }, run: tildone.engine.run(key), session: key };
    await untilOver(agent, key);
    unwatch();
    const run = tildone.engine.run(key);
    return {
      outcome: stopped(stop) ?? unrecorded(tildone.engine.unrecorded(key)) ?? outcomeOf(run),
      run,
      session: key,
    };
  } finally {
    over.abort();
    await agent.dispose();
  }
}

const isSame = (known: ModelChoice | undefined, chosen: ModelChoice): boolean =>
  known?.model === chosen.model && known?.baseUrl === chosen.baseUrl;

/** The first signal: what runs is finished, nothing new begins, and the run can be taken up again. */
async function wind({ session, tildone, scheduler }: Agent, key: string): Promise<void> {
  await tildone.engine.tell(key, { type: "human.interrupt", how: "signal" });
  const isBusy = () => scheduler.snapshot().calls.some(({ status }) => status === "executing");
  if (isBusy())
    await new Promise<void>((done) => {
      const off = scheduler.observe(() => {
        if (isBusy()) return;
        off();
        done();
      });
    });
  await session.abort();
}

function stopped(stop: AbortSignal | undefined): Outcome | undefined {
  if (!stop?.aborted) return undefined;
  const exit = typeof stop.reason === "number" ? stop.reason : 130;
  return { reason: "interrupted", says: "Stopped by a signal.", exit };
}

/** pi writes a session when the agent first answers. Of one that died before, the log has the run, and the message is lost. */
function sessionNamed(cwd: string, id: string): SessionManager {
  const file = SessionManager.findById(cwd, id);
  return file === undefined ? SessionManager.create(cwd, undefined, { id }) : SessionManager.open(file);
}

/** The first request: the prompt, or what continues the run. Gives why a run cannot be continued. */
async function begin(
  agent: Agent,
  key: string,
  { prompt, resume, takesOver = false }: HeadlessOptions,
): Promise<string | undefined> {
  const { session, tildone } = agent;
  const { engine } = tildone;
  if (!resume) {
    await session.prompt(prompt);
    return undefined;
  }
  const run = engine.run(key);
  if (isFull(run)) await session.compact().catch(() => {}); // nothing to leave out: the request says so itself
  const hasHeard = session.sessionManager.getBranch().some(({ type }) => type === "message");
  // A session that was lost does not know the goal: it is told again, and that is a prompt.
  if (!hasHeard && !(takesOver && isStopped(run))) await engine.tell(key, { type: "human.spoke" });
  if (takesOver) {
    if (!hasHeard && !isStopped(run)) await session.prompt(run?.goal ?? "Continue with the work.");
    return undefined;
  }
  const reply = await engine.tell(key, { type: "human.resume", ...resume });
  if (reply.type === "refused") return reply.refusal.message;
  if (!hasHeard) await session.prompt(run?.goal ?? "Continue with the work.");
  return undefined;
}

const isStopped = (run: Run | undefined): boolean => run?.ledger.decision?.type === "stop";

const isFull = (run: Run | undefined): boolean =>
  run?.ledger.decision?.type === "stop" && run.ledger.decision.reason === "context_full";

/** Until the agent is idle and nothing is on its way to it: a turn that is being started, a wait that has an end. */
async function untilOver({ session, tildone: { engine } }: Agent, key: string): Promise<void> {
  for (;;) {
    await session.waitForIdle();
    const { status, ledger } = engine.run(key) ?? {};
    const isPending = status === "live" && ["countdown", "waiting", "nudged"].includes(ledger?.boundary?.status ?? "");
    if (!isPending || engine.unrecorded(key) !== undefined) return;
    const changed = Promise.withResolvers<void>();
    const off = engine.watch(() => changed.resolve());
    await changed.promise;
    off();
  }
}

/** Gives what is wrong with the list. */
async function layDown(
  engine: Agent["tildone"]["engine"],
  key: string,
  list: readonly PlanItem[],
): Promise<string | undefined> {
  const reply = await engine.tell(key, writtenByPlan(list));
  return reply.type === "refused" ? `Nothing was started: ${reply.refusal.message}` : undefined;
}
