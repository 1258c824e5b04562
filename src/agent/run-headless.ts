import { SessionManager } from "@earendil-works/pi-coding-agent";
import { stayAwake } from "../compose/index.ts";
import type { PlanItem } from "../core/plan/index.ts";
import type { Envelope, ModelChoice, Run } from "../core/run/index.ts";
import type { Update } from "../scheduler/index.ts";
import { type Agent, type AgentOptions, openAgent } from "./open-agent.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

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
  /** The list of a plan file; it is the human's. */
  readonly plan?: readonly PlanItem[];
  /** The session to go on with, by its id. */
  readonly resume?: string;
  /** The model as the human named it, to be remembered with the run. */
  readonly chosen?: ModelChoice;
  readonly onProgress: (progress: Progress) => void;
  /** Aborted once: the call that runs is finished, then the run stops. Its reason is the exit code. */
  readonly stop?: AbortSignal;
  /** Aborted: everything stops now. */
  readonly stopNow?: AbortSignal;
  readonly onOpen?: (agent: Agent) => void;
}

export interface Headless {
  readonly outcome: Outcome;
  readonly run: Run | undefined;
  readonly session: string;
}

/** Works until the list is done, or there is a reason to stop. pi waits at its boundary for as long as a wait takes. */
export const runHeadless = (options: HeadlessOptions): Promise<Headless> => stayAwake(() => headless(options));

async function headless(options: HeadlessOptions): Promise<Headless> {
  const { onProgress, prompt, todos = [], stop, stopNow, onOpen, resume, plan = [], chosen, ...rest } = options;
  const agent = await openAgent({
    ...rest,
    ...(resume !== undefined && { sessionManager: sessionNamed(rest.cwd, resume) }),
    bindings: { mode: "print" },
    onSaid: (text) => onProgress({ type: "notice", text }),
    onFault: (message) => onProgress({ type: "fault", message }),
  });
  const { session, tildone, scheduler } = agent;
  const key = session.sessionManager.getSessionId();
  try {
    const unwatch = tildone.engine.watch((_session, run, events) => {
      if (chosen && run.status === "live" && !isSame(run.ledger.model, chosen))
        queueMicrotask(() => void tildone.engine.tell(key, { type: "model.chosen", ...chosen }));
      for (const event of events as readonly Envelope[]) onProgress({ type: "event", event, run });
    });
    scheduler.observe((update) => onProgress({ type: "call", update }));
    session.subscribe((event) => {
      if (event.type !== "message_end" || event.message.role !== "assistant") return;
      const text = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (text.trim() !== "") onProgress({ type: "said", text });
    });
    onOpen?.(agent);
    const list = [...plan, ...todos.map((text) => ({ text, needs: [], ticked: false }))];
    const problem = list.length > 0 ? await layDown(tildone.engine, key, list) : undefined;
    if (problem !== undefined)
      return { outcome: { reason: "no_run", says: problem, exit: 2 }, run: undefined, session: key };
    if (list.length === 0 && options.goal !== undefined) await tildone.engine.tell(key, { type: "goal.set" });
    stop?.addEventListener("abort", () => void wind(agent, key));
    stopNow?.addEventListener("abort", () => void session.abort());
    const words = resume === undefined ? prompt : takenUpWith(agent, key);
    if (!stop?.aborted) await session.prompt(words);
    await session.waitForIdle();
    unwatch();
    const run = tildone.engine.run(key);
    return { outcome: stopped(stop) ?? outcomeOf(run), run, session: key };
  } finally {
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
  return { reason: "interrupted", says: "Stopped by a signal. `tildone run --resume` continues.", exit };
}

/** pi writes a session when the agent first answers. Of one that died before, the log has the run and nobody the words. */
function sessionNamed(cwd: string, id: string): SessionManager {
  const file = SessionManager.findById(cwd, id);
  return file === undefined ? SessionManager.create(cwd, undefined, { id }) : SessionManager.open(file);
}

/** An agent that heard of the goal is sent on; one that never did, or whose session is lost, is told again. */
function takenUpWith({ session, tildone }: Agent, key: string): string {
  const run = tildone.engine.run(key);
  const hasHeard = session.sessionManager.getBranch().some(({ type }) => type === "message");
  return hasHeard || run?.ledger.held ? "/unhold" : (run?.goal ?? "Go on with the work.");
}

/**
 * The human's list is written before the agent hears of it, in one step with the birth of the run and with what was done before:
 * whenever the process dies, there is no run without it. A run that is taken up gets it at the end. Gives what is wrong with it.
 */
async function layDown(
  engine: Agent["tildone"]["engine"],
  key: string,
  list: readonly ListItem[],
): Promise<string | undefined> {
  const todos = list.map(({ text, needs }) => ({ text, needs }));
  const ticked = list.flatMap((item, index) => (item.ticked ? [index] : []));
  const reply = await engine.tell(key, { type: "todos.write", by: "plan", ticked, write: { mode: "append", todos } });
  return reply.type === "refused" ? `Nothing was begun: ${reply.refusal.message}` : undefined;
}

type ListItem = Pick<PlanItem, "text" | "needs" | "ticked">;
