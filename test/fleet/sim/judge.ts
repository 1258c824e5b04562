import type { ClaimAnswer, FleetState, Lease, Ledger } from "../../../src/fleet/index.ts";
import { type Script, stepsTold } from "./agent.ts";
import { judgeClaim } from "./judge-claim.ts";
import { judgeRest } from "./judge-rest.ts";
import { judgeWrite } from "./judge-write.ts";
import type { Remote } from "./remote.ts";
import { look, type Seen, timesIn, tokensIn, upTo } from "./seen.ts";

/** What the judge remembers of a run by itself. */
export interface Known {
  readonly script: Script;
  seen: Seen | undefined;
  isPruned: boolean;
  /** The process that claimed it last. */
  driver: string | undefined;
  /** Processes that claimed it, one after the other, since one of them came from a checkpoint to the next. */
  claimants: string[];
  /** The claim that made the newest checkpoint. */
  markedBy: number;
  /** The newest word when it was claimed last, if you held it then. */
  heldSince: number | undefined;
  /** Tokens of every answer that ever stood in the database. */
  readonly spent: Map<string, number>;
}

export interface Court {
  readonly ledger: Ledger;
  readonly remote: Remote;
  readonly runs: ReadonlyMap<string, Known>;
  /** Runs that may work at the same time. */
  readonly limit: number | undefined;
  /** Whether that process works on a run, and its worker has the run from the queue. */
  readonly keeps: (token: string | undefined, run: string) => boolean;
  readonly fail: (promise: string, detail: string) => void;
}

export interface Claiming {
  readonly op: "claim";
  /** The process that claims. */
  readonly token: string;
  /** The newest claim when it began. */
  readonly after: number | undefined;
  readonly answer: ClaimAnswer;
}
export interface Writing {
  readonly op: "append" | "barrier" | "finish" | "park" | "handBack" | "waits";
  readonly lease: Lease;
  readonly status: string;
}
/** One call that may have changed something, with its answer. */
export type Asked = Claiming | Writing | { readonly op: "submit" | "say" | "cancel" | "prune" };

export interface Broken {
  readonly promise: string;
  readonly detail: string;
}

/** Knows what a fleet promises, and nothing of how it is kept. Looks at the database after everything that may have changed it. */
export function createJudge(parts: Pick<Court, "ledger" | "remote" | "limit" | "keeps">) {
  const { ledger, remote } = parts;
  const broken: Broken[] = [];
  const runs = new Map<string, Known>();
  /** Claims whose barrier was reached, and from which nothing left since. */
  const cleared = new Set<string>();
  /** Claims that know that another one followed. */
  const fenced = new Set<string>();
  /** Pushes that arrived after another claim was made. */
  const late = new Map<string, number>();
  const fail = (promise: string, detail: string): void => void broken.push({ promise, detail });
  const court: Court = { ...parts, runs, fail };
  return { broken, fail, submitted, saw, left, told, pushes, pushed, published, atRest: () => judgeRest(court) };

  function submitted(script: Script): void {
    const none = { seen: undefined, driver: undefined, heldSince: undefined, isPruned: false };
    runs.set(script.run, { script, ...none, claimants: [], markedBy: 0, spent: new Map() });
  }

  async function saw(run: string, asked: Asked): Promise<void> {
    const known = runs.get(run)!;
    const before = known.seen;
    const after = await look(ledger, run);
    known.seen = after;
    if (!after) return gone(known, asked, before);
    if (known.isPruned) fail("nothing comes back", `${run} is back after ${asked.op}`);
    if (!before) return;
    if (asked.op === "barrier" && asked.status === "written") cleared.add(`${run} ${asked.lease.epoch}`);
    judgeStates(run, asked, before, after);
    if (asked.op === "claim") judgeClaim(court, known, asked, before, after);
    else if ("lease" in asked) judgeWrite(court, known, asked, before, after);
    else if (JSON.stringify([before.rows, before.lost]) !== JSON.stringify([after.rows, after.lost]))
      fail("only drivers write", `${asked.op} changed the log of ${run}`);
    judgeLog(known, after);
  }

  function gone(known: Known, { op }: Asked, before: Seen | undefined): void {
    if (!before) return;
    known.isPruned = true;
    const { run, state } = before.run;
    if (op !== "prune" || NEXT[state].length > 0) fail("nothing vanishes", `${run} was ${state}, and ${op} removed it`);
  }

  function judgeStates(run: string, asked: Asked, before: Seen, after: Seen): void {
    const [from, to] = [before.run.state, after.run.state];
    if (from !== to && !NEXT[from].includes(to)) fail("over is over", `${run}: ${asked.op} made it ${to}, was ${from}`);
    const isTaken = asked.op === "claim" && (isNew(asked, before) || to !== from);
    const isCancelled = asked.op === "cancel" && to !== from;
    const grown = after.run.epoch - before.run.epoch;
    if (grown !== (isTaken || isCancelled ? 1 : 0)) fail("epochs grow by one", `${run}: ${asked.op} added ${grown}`);
  }

  function judgeLog({ script: { run }, spent }: Known, { rows, words }: Seen): void {
    const told = stepsTold(rows);
    if (String(told) !== String(upTo(told.length))) fail("every step once", `${run}: [${told}]`);
    for (const { id, trigger } of words)
      if ((timesIn(rows, trigger) ?? 0) > 1) fail("each word once", `${run}: word ${id} stands in its log twice`);
    for (const { seq, at, event } of rows)
      if (event.includes('"answer.seen"')) spent.set(`${seq} ${at} ${event}`, tokensIn(event));
  }

  /** Something leaves for the model. What was cleared before another process claimed may still leave: one thing. */
  function left({ run, epoch }: Lease): void {
    const { seen, heldSince } = runs.get(run)!;
    if (!cleared.delete(`${run} ${epoch}`)) fail("nothing leaves before it is safe", `${run}: claim ${epoch}`);
    if (seen?.run.epoch !== epoch) return;
    if (seen.run.state !== "running") fail("nothing leaves a run that was let go of", `${run} is ${seen.run.state}`);
    const isReleased = seen.words.some(({ id, trigger }) => id > (heldSince ?? 0) && trigger.includes("unhold"));
    if (heldSince !== undefined && !isReleased) fail("holds survive", `${run}: a turn begins although you hold it`);
  }

  /** A driver was told that another one has its run. */
  function told({ run, epoch }: Lease): void {
    fenced.add(`${run} ${epoch}`);
  }

  /** A push begins its way. */
  function pushes({ run, epoch }: Lease): void {
    if (fenced.has(`${run} ${epoch}`))
      fail("who is fenced pushes nothing", `${run}: claim ${epoch} knew of the next one`);
  }

  /** It arrived: what was on its way when another one claimed may do so until that one has pushed. */
  function pushed(run: string, from: string | undefined, to: string): void {
    const [before, after] = [from === undefined ? 0 : remote.made(from).epoch, remote.made(to).epoch];
    if (after < before) fail("who is fenced pushes nothing", `${run}: claim ${after} pushed over claim ${before}`);
    const newest = runs.get(run)?.seen?.run.epoch ?? after;
    const name = `${run} ${after}`;
    if (after < newest && !remote.made(to).takesOver) late.set(name, (late.get(name) ?? 0) + 1);
    if ((late.get(name) ?? 0) > MOST_LATE) fail("who is fenced asks before it pushes on", `${run}: claim ${after}`);
    if (after > newest) fail("who is fenced pushes nothing", `${run}: claim ${after} pushed, and there is none`);
  }

  function published(run: string, commit: string): void {
    const { state, resultCommit } = runs.get(run)?.seen?.run ?? {};
    if (state !== undefined && (state !== "finished" || commit !== resultCommit))
      fail("the recorded commit is published", `${run} is ${state}: ${commit}, recorded ${resultCommit}`);
  }
}

/** Whether a claim was answered with a new one; else with what it had got before. */
export const isNew = ({ answer }: Claiming, before: Seen): boolean =>
  answer.status === "claimed" && answer.claimed.lease.epoch !== before.run.epoch;

export type Judge = ReturnType<typeof createJudge>;

/** A driver asks the database after each push of work; only the commit of a result follows on that of its checkpoint. */
const MOST_LATE = 2;

/** States that may follow each other. */
const NEXT: Readonly<Record<FleetState, readonly FleetState[]>> = {
  queued: ["running", "cancelled", "poisoned"],
  running: ["queued", "parked", "finished", "poisoned", "cancelled"],
  parked: ["queued", "cancelled"],
  finished: [],
  poisoned: [],
  cancelled: [],
};
