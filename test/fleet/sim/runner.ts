import { type FilesError, isAway } from "../../../src/fleet/files/index.ts";
import type { Attempt, Claimed, Lease, Ledger } from "../../../src/fleet/index.ts";
import { openConversation } from "../../../src/fleet/runner/conversation.ts";
import { createDriver } from "../../../src/fleet/runner/driver.ts";
import { insist } from "../../../src/fleet/runner/insist.ts";
import type { Ending } from "../../../src/fleet/runner/job.ts";
import { LOG_VERSION } from "../../../src/fleet/runner/log-version.ts";
import { lostTurns } from "../../../src/fleet/runner/lost-spend.ts";
import { parkUnstarted, refusedClaim } from "../../../src/fleet/runner/refused-claim.ts";
import type { Random } from "../../sim/random.ts";
import { playAgent, type Script } from "./agent.ts";
import { simulatedFolder, simulatedLog } from "./local-log.ts";
import type { Remote } from "./remote.ts";
import { simulatedFiles } from "./run-files.ts";
import { createProcess, type Process, type Wire } from "./wire.ts";

export interface RunnerParts {
  readonly wire: Wire;
  readonly random: Random;
  readonly remote: Remote;
  readonly ledger: Ledger;
  readonly process: Process;
  readonly worker: string;
  readonly attempt: Attempt;
  readonly script: Script;
  readonly now: () => number;
  readonly drain: AbortSignal;
  /** Something left for the model. */
  readonly leaves: (lease: Lease) => void;
  /** A push is sent to the repository. */
  readonly pushes: (lease: Lease) => void;
  readonly ends: (process: Process) => void;
  readonly bug: (error: unknown) => void;
}

/** What the world may do with it from outside. */
export interface Runner {
  readonly process: Process;
  readonly run: string;
  readonly drain: AbortController;
  /** Whether its worker has the run from the queue, without a break since this process was started. */
  readonly keepsPlace: () => boolean;
  killAgent?: () => void;
  claimed?: Lease;
  driver?: Pick<ReturnType<typeof createDriver>, "look" | "hear">;
}

const LEASE_MS = 5_000;

/** As a runner's process: claims, lays out, drives. Everything that decides is the real code. */
export async function playRunner(parts: RunnerParts, runner: Runner): Promise<Ending> {
  const { wire, process, ledger, script, now } = parts;
  const { run } = script;
  const wait = (): Promise<void> => wire.pause(process, "waits");
  const answer = await insist(() => ledger.claim(run, parts.worker, LOG_VERSION, parts.attempt), { wait });
  if (answer.status !== "claimed") return refusedClaim(answer);
  const { claimed } = answer;
  runner.claimed = claimed.lease;
  const files = simulatedFiles(wire, process, parts.remote, run, () => parts.pushes(claimed.lease));
  const laid = await insist(layOut, { isPassing: isAway, wait }).catch((error: FilesError) =>
    error.code === "fenced" ? "fenced" : error.message,
  );
  if (laid !== undefined)
    return laid === "fenced" ? { type: "fenced" } : parkUnstarted(ledger, claimed, laid, { wait });
  const cwd = `/${"x".repeat(1 + parts.random.below(9))}/work`;
  const folder = simulatedFolder();
  const local = simulatedLog(run, cwd, { rows: claimed.rows, card: claimed.run.card });
  const lost = await lostTurns(ledger, claimed, { wait });
  const driver = createDriver({
    ...{ ledger, claimed, lost, files, local, wait, now },
    conversation: openConversation(folder, cwd, storedIn(claimed)),
    startAgent,
    papers: async () => ({ report: "report" }),
    tell: () => {},
    drain: parts.drain,
    leaseMs: LEASE_MS,
  });
  runner.driver = driver;
  try {
    return await driver.work();
  } finally {
    delete runner.driver;
  }

  async function layOut(): Promise<string | undefined> {
    const mark = claimed.run.checkpoint?.commit;
    if (!script.isReachable) return "The worker may not use the repository.";
    if (!(await files.takeOver(claimed.lease.epoch, mark))) return "fenced";
    if (mark !== undefined) await files.restore(mark);
    return undefined;
  }

  function startAgent(how: "begin" | "continue") {
    const agent = createProcess(`${process.name} agent`, process);
    const ended = Promise.withResolvers<{ code: number | null; said: string }>();
    const end = (code: number | null) =>
      void wire.pause(process, "agent ended").then(() => ended.resolve({ code, said: "" }));
    const kill = () => {
      if (agent.status === "dead") return;
      parts.ends(agent);
      end(null);
    };
    runner.killAgent = kill;
    const barrier = async () => {
      await wire.pause(process, "asked at the barrier");
      const why = await driver.atBarrier().catch(String);
      await wire.pause(agent, "answered at the barrier");
      return why;
    };
    void playAgent(
      {
        ...{ wire, random: parts.random, process: agent, script, cwd, local, folder, files, now, barrier },
        leaves: () => parts.leaves(claimed.lease),
      },
      how,
    ).then((code) => {
      agent.status = "dead";
      end(code);
    }, parts.bug);
    return { ended: ended.promise, kill };
  }
}

const storedIn = ({ session, conversation }: Claimed) =>
  session === undefined ? undefined : { name: session, bytes: conversation };
