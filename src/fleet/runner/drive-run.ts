import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openProcessGroups } from "../../machine/index.ts";
import { FilesError, fleetGit, isAway, openRunFiles, silentRemote } from "../files/index.ts";
import { openLedger } from "../ledger/index.ts";
import type { Claimed, Ledger, Papers } from "../ports.ts";
import { openBarrierServer } from "./barrier-server.ts";
import { type Child, startChild } from "./child.ts";
import { commandOf } from "./command.ts";
import { openConversation } from "./conversation.ts";
import { createDriver } from "./driver.ts";
import { sessionsFolder } from "./folder.ts";
import { insist } from "./insist.ts";
import type { Ending, FromRunner, Job } from "./job.ts";
import { judgedBy, judgeIn, takeJudge } from "./judge.ts";
import { openLocalLog } from "./local-log.ts";
import { LOG_VERSION } from "./log-version.ts";
import { lostTurns } from "./lost-spend.ts";
import { papersOf } from "./papers.ts";
import { parkUnstarted, refusedClaim } from "./refused-claim.ts";
import { childEnvironment, makeRunHome } from "./run-home.ts";
import { tellWaiting } from "./waiting.ts";
import { lastLine } from "./why.ts";

export interface Driving {
  readonly job: Job;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tell: (message: FromRunner) => void;
  /** Aborted: the turn is finished, everything is made safe, and the run goes back to the queue. */
  readonly drain: AbortSignal;
}

/**
 * One run on this machine, from its claim to its end:
 *
 *     claiming --> restoring --> working <--> at a barrier --> ending: finished, parked, handed back
 *         +-- another worker has it by now: fenced, from everywhere; nothing is written, pushed or sent any more
 */
export async function driveRun({ job, env, tell, drain }: Driving): Promise<Ending> {
  const ledger = await insist(() => openLedger(job.access, RUNNER_CONNECTIONS));
  try {
    const answer = await insist(() => ledger.claim(job.run, job.worker, LOG_VERSION, job.attempt));
    return answer.status === "claimed"
      ? await work(ledger, answer.claimed, { job, env, tell, drain })
      : refusedClaim(answer);
  } finally {
    await ledger.close();
  }
}

async function work(ledger: Ledger, claimed: Claimed, { job, env, tell, drain }: Driving): Promise<Ending> {
  const { lease, run: submission } = claimed;
  const id = submission.run;
  const place = join(job.state, "runs", id);
  const home = join(place, "home");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  tell({ type: "driving", epoch: lease.epoch, lost: claimed.lost });
  const childEnv = childEnvironment(env);
  const gitEnds = new AbortController();
  const files = openRunFiles({
    git: fleetGit(childEnv, {
      signal: gitEnds.signal,
      onSilent: () => (driver?.repository.onAway ?? onAway)(silentRemote(submission.repo)),
      onAnswer: () => (driver?.repository ?? waiting).onBack(),
    }),
    cache: join(job.state, "repos"),
    place,
    run: id,
    repo: submission.repo,
  });
  makeRunHome(home, job.config);
  let rows = claimed.rows;
  let driver: ReturnType<typeof createDriver> | undefined;
  const waiting = tellWaiting(ledger, lease, files.stop);
  const onAway = (error: unknown): void => {
    tell({ type: "said", text: `waiting: ${error instanceof Error ? error.message : String(error)}` });
    waiting.onAway(error);
  };
  const laid = await unlessDrained(drain, (isOver) =>
    insist(layOut, { isPassing: isAway, isOver, onBack: waiting.onBack, onAway }).catch((error: unknown) =>
      isAway(error) ? "drained" : problemOf(error),
    ),
  );
  if (laid === "drained") {
    gitEnds.abort();
    const { status } = await insist(() => ledger.handBack(lease));
    return { type: status === "fenced" ? "fenced" : "handed_back" };
  }
  if (laid !== undefined) return laid === "fenced" ? { type: "fenced" } : parkUnstarted(ledger, claimed, laid);

  const local = await openLocalLog(join(home, "tildone.db"), id, files.work, { rows, card: claimed.run.card });
  const lost = await lostTurns(ledger, claimed);
  const agentFolder = env.PI_CODING_AGENT_DIR ?? join(homedir(), ".pi", "agent");
  const stored = claimed.session === undefined ? undefined : { name: claimed.session, bytes: claimed.conversation };
  driver = createDriver({
    ledger,
    claimed,
    lost,
    files,
    local,
    conversation: openConversation(sessionsFolder(agentFolder, files.work), files.work, stored),
    startAgent,
    papers,
    tell,
    drain,
    leaseMs: job.leaseMs,
    now: Date.now,
    wait: sleep,
  });
  const driving = driver;
  const server = await openBarrierServer(id, driving.atBarrier);
  const unlisten = await insist(() => ledger.listen(() => void driving.hear(), id));
  const pulse = setInterval(driving.look, LOOK_MS);
  const groups = openProcessGroups(home);
  try {
    return await driving.work();
  } finally {
    clearInterval(pulse);
    server.close();
    await unlisten().catch(() => {});
    await groups.endOrphans();
    local.close();
  }

  /** Gives why it cannot be worked on here. */
  async function layOut(): Promise<string | undefined> {
    const mark = claimed.run.checkpoint?.commit;
    if (!(await files.takeOver(lease.epoch, mark))) return "fenced";
    if (mark === undefined) {
      await files.begin(submission.ref);
      return prepared();
    }
    // What judges the work is the state before it, and that stayed on the machine that is gone: it is made again.
    const judge = judgeIn(claimed.rows);
    if (judge !== undefined && (await files.beginAgain(mark)) !== undefined) {
      const failed = await prepared();
      if (failed !== undefined) return failed;
      const here = await takeJudge({ work: files.work, home, env: childEnv });
      if (here !== undefined) rows = judgedBy(claimed.rows, judge, here);
    }
    await files.restore(mark);
    return prepared();
  }

  async function prepared(): Promise<string | undefined> {
    const command = submission.prepare;
    if (command === undefined) return undefined;
    waiting.preparing(command);
    const failed = await prepare(command, files.work, childEnv, drain);
    if (!drain.aborted) waiting.onBack();
    return failed;
  }

  function startAgent(how: "begin" | "continue"): Child {
    const plan = submission.plan === undefined ? undefined : join(place, "plan.md");
    if (plan !== undefined) writeFileSync(plan, submission.plan!);
    const child = startChild([...job.program, ...commandOf(submission, how, plan)], {
      cwd: files.work,
      env: {
        ...childEnv,
        TILDONE_HOME: home,
        TILDONE_BARRIER: server.path,
        TILDONE_RUN_ID: id,
        ...(how === "continue" && { TILDONE_TAKEOVER: "1" }),
      },
      onLine: (text) => tell({ type: "said", text }),
    });
    tell({ type: "child", pid: child.pid });
    void child.ended.then(() => tell({ type: "child", pid: 0 })); // its number may be another process's soon
    return child;
  }

  function papers(resultCommit: string): Promise<Papers> {
    return papersOf({ submission, store: local.store, home, changes: () => files.changes(resultCommit) });
  }
}

/** A run that is only being laid out has no turn to finish: a worker that ends does not wait for its repository. */
async function unlessDrained<T>(
  drain: AbortSignal,
  act: (isOver: () => boolean) => Promise<T>,
): Promise<T | "drained"> {
  const drained = Promise.withResolvers<"drained">();
  const end = (): void => drained.resolve("drained");
  drain.addEventListener("abort", end, { once: true });
  if (drain.aborted) end();
  try {
    return await Promise.race([drained.promise, act(() => drain.aborted)]);
  } finally {
    drain.removeEventListener("abort", end);
  }
}

/** Gives why it failed. */
async function prepare(command: string, cwd: string, env: Record<string, string | undefined>, drain: AbortSignal) {
  const child = startChild(["/bin/sh", "-c", command], { cwd, env, leavesServices: true });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    child.kill();
  }, PREPARE_MS);
  drain.addEventListener("abort", child.kill, { once: true });
  const { code, said } = await child.ended;
  clearTimeout(late);
  drain.removeEventListener("abort", child.kill);
  if (code === 0) return undefined;
  const how = isLate ? "it took too long" : code === null ? "it was killed" : `exit ${code}`;
  return `prepare failed (${how}): ${lastLine(said)}`;
}

function problemOf(error: unknown): string {
  if (error instanceof FilesError) return error.code === "fenced" ? "fenced" : error.message;
  throw error;
}

/** One writes, and while that one waits the other hears what you say. One more listens. */
export const RUNNER_CONNECTIONS = 2;
const LOOK_MS = 20;
const PREPARE_MS = 30 * 60_000;
