import { randomUUID } from "node:crypto";
import { stayAwake, type TildoneOptions } from "../../compose/index.ts";
import type { HostName } from "../../config/index.ts";
import type { PlanItem } from "../../core/plan/index.ts";
import type { Launch, Run } from "../../core/run/index.ts";
import { briefingText } from "../../core/words/index.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { writtenByPlan } from "../plan-list.ts";
import type { Resume } from "../run-headless.ts";
import { betweenProcesses, type LastTurn, type Next } from "./between-processes.ts";
import { type Ended, lastTurn, wasKilled } from "./ended.ts";
import { afterProcess, isSpent, MOST_PROCESSES, PATIENT } from "./patience.ts";
import { type HostLaunch, runHost } from "./run-host.ts";
import { createSupervisedRun, type SupervisedRun } from "./supervised-run.ts";

export interface SuperviseOptions extends Pick<TildoneOptions, "cwd" | "env" | "flags" | "clock"> {
  readonly home: string;
  readonly host: HostName;
  readonly goal: string;
  /** Your own list, written before the agent hears of it. */
  readonly list?: readonly PlanItem[];
  /** A workflow by its name; the goal is what it is about. */
  readonly workflow?: string;
  /** The run that a person continues, by its session. */
  readonly resume?: { readonly session: string; readonly takesOver?: boolean } & Resume;
  /** A session to continue in with a new goal; its last run is over. */
  readonly session?: string;
  readonly model?: string;
  /** What the next `--resume` uses again. */
  readonly launch?: Launch;
  /** The program, where it is not the host's usual one. */
  readonly program?: readonly string[];
  /** More arguments for the host: its model, what it may do without asking. */
  readonly hostArgs?: readonly string[];
  readonly onProgress: (progress: SupervisorProgress) => void;
  /** Aborted: the run is interrupted first, then the host is told. Its reason is the exit code. */
  readonly stop?: AbortSignal;
}

export type SupervisorProgress =
  | { readonly type: "process.started"; readonly session: string | undefined; readonly prompt: string }
  | { readonly type: "process.ended"; readonly code: number | null; readonly failure?: string }
  | { readonly type: "waiting"; readonly run: Run };

export interface Supervised {
  readonly outcome: Outcome;
  readonly run: Run | undefined;
  readonly session: string | undefined;
}

/** How often a host is started that dies before it even tells its session. */
const MOST_BEGINNINGS = 3;

type State =
  | ({ readonly status: "launching"; readonly beginning: number } & HostLaunch)
  | { readonly status: "ended"; readonly result: Supervised };

/**
 * Runs a goal in a headless host, one process after the other. The hooks drive it while it lives; when it ends, the run's own
 * log says whether that was the end, and a run that is not over is taken up again by its session.
 *
 *     a goal ------> launching --its process ends--> between processes --a prompt--> launching, by its session
 *     a resumed run --> between processes                    +-- the run is over, or you stopped it --> ended
 *     launching --killed before it told its session, twice at most--> launching
 *     launching --the host does not know the session any more--> launching anew, with the goal
 */
export const supervise = (options: SuperviseOptions): Promise<Supervised> =>
  stayAwake(async () => {
    const run = createSupervisedRun(options);
    try {
      return await createSupervision(run, options).work();
    } finally {
      run.leave();
    }
  });

function createSupervision(run: SupervisedRun, options: SuperviseOptions) {
  const { goal, list = [], resume, stop, onProgress } = options;
  return { work };

  async function work(): Promise<Supervised> {
    (await run.open()).dispose(); // what cannot be kept is refused before anything starts
    let state = resume ? await resumed(resume) : await begun();
    for (let patience = PATIENT; state.status === "launching" && !isSpent(patience); ) {
      state = await launched(state);
      if (state.status === "launching") patience = afterProcess(patience, await run.run());
    }
    return state.status === "ended" ? state.result : { outcome: TOO_MANY, run: undefined, session: run.session() };
  }

  async function begun(): Promise<State> {
    const session = options.session ?? (run.program.takesSession ? randomUUID() : undefined);
    if (session !== undefined) {
      run.enter(session);
      await run.begin();
    }
    const prompt = list.length > 0 ? `${goal}\n\n${LIST_IS_WRITTEN}` : goal;
    return launching(options.session === undefined ? "start" : "resume", prompt);
  }

  async function resumed({ session, takesOver, ...said }: NonNullable<SuperviseOptions["resume"]>): Promise<State> {
    run.enter(session);
    if (list.length > 0) await run.tell([writtenByPlan(list)]);
    const next = await between(session, takesOver ? DIED_ELSEWHERE : { outcome: "resumed", with: said });
    if (next.type === "refused") return ended({ reason: "no_run", says: next.message, exit: 2 }, undefined);
    if (next.type === "over") return ended(outcomeAfter(next.run, ""), next.run);
    await run.remember();
    // Its conversation stayed on the machine that is gone.
    return nextLaunch(takesOver ? { ...next, text: await briefed(next), fresh: true } : next);
  }

  /** For a session that knows nothing of the run. What it is to do now stands below, by which its hooks know that this is not from you. */
  async function briefed({ text, fresh }: Next & { type: "prompt" }): Promise<string> {
    const last = fresh ? undefined : await run.run();
    if (last === undefined) return text;
    return `${briefingText(last, last.ledger.nudge?.kind ?? "todo")}\n\n${text}`;
  }

  async function launched(launch: State & { status: "launching" }): Promise<State> {
    const end = await oneProcess(launch);
    await run.find();
    const session = run.session();
    if (session === undefined) {
      const isTriedAgain = wasKilled(end) && launch.beginning < MOST_BEGINNINGS && !stop?.aborted;
      if (isTriedAgain) return { ...launch, beginning: launch.beginning + 1 };
      return ended(outcomeAfter(undefined, end.complaint), undefined);
    }
    if (options.workflow !== undefined) await run.remember(); // its run is born inside the host
    const next = await between(session, lastTurn(end));
    if (next.type === "prompt" && !stop?.aborted) return nextLaunch(next);
    const last = next.type === "over" ? next.run : await run.run();
    return ended(outcomeAfter(last, end.complaint), last);
  }

  /** The session before is left as it is. A host that names its sessions itself tells the new one when it begins. */
  async function nextLaunch({ text, fresh }: Next & { type: "prompt" }): Promise<State> {
    if (!fresh) return launching("resume", text);
    if (run.program.takesSession) await run.moveTo(randomUUID());
    return launching("anew", text);
  }

  /** One that was killed before it wrote down what it was told is told again. */
  async function oneProcess({ how, prompt }: HostLaunch): Promise<Ended> {
    onProgress({ type: "process.started", session: run.session(), prompt });
    const end = await runHost({ how, prompt }, run, options);
    const message = end.failure?.message;
    onProgress({ type: "process.ended", code: end.code, ...(message !== undefined && { failure: message }) });
    const isUnknown = message !== undefined && run.program.unknownSession?.test(message);
    return how === "resume" && isUnknown ? oneProcess({ how: "again", prompt: `${goal}\n\n${prompt}` }) : end;
  }

  function between(session: string, last: LastTurn): Promise<Next> {
    return betweenProcesses(last, {
      session,
      name: run.host,
      program: run.program,
      open: run.open,
      signal: stop,
      onWait: (waiting) => onProgress({ type: "waiting", run: waiting }),
    });
  }

  function ended(outcome: Outcome, last: Run | undefined): State {
    return { status: "ended", result: { outcome, run: last, session: run.session() } };
  }

  function outcomeAfter(last: Run | undefined, complaint: string): Outcome {
    if (stop?.aborted) return { reason: "interrupted", says: "Stopped by a signal.", exit: Number(stop.reason) || 130 };
    const outcome = outcomeOf(last);
    if (outcome.reason !== "no_run" || complaint.trim() === "") return outcome;
    return { ...outcome, says: `${run.host}: ${complaint.trim()}`, exit: 1 };
  }
}

const DIED_ELSEWHERE: LastTurn = {
  outcome: "failed",
  failure: { kind: "host", message: "the machine it ran on is gone" },
};

const launching = (how: HostLaunch["how"], prompt: string): State => ({
  status: "launching",
  how,
  prompt,
  beginning: 1,
});

/** The agent is told where its list is: not every host shows it with the first prompt. */
const LIST_IS_WRITTEN = "The todo list is already written. Read it with list_todos and work through it.";

const TOO_MANY: Outcome = {
  reason: "waiting",
  says: `The host was started ${MOST_PROCESSES} times without getting any further; that is the limit.`,
  exit: 1,
};
