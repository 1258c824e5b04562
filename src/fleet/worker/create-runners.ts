import { randomUUID } from "node:crypto";
import type { Attempt } from "../ports.ts";
import type { Ending, Job } from "../runner/job.ts";
import type { Metrics } from "./metrics.ts";
import { type Runner, startRunner } from "./start-runner.ts";
import type { Say } from "./worker-log.ts";

export interface RunnersParts {
  /** How a runner is started. */
  readonly command: readonly string[];
  /** What all of them are told. */
  readonly job: Omit<Job, "run" | "attempt">;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly metrics: Metrics;
  readonly say: Say;
  /** Ends the runner of the step that asks. */
  readonly cancelled: () => AbortSignal | undefined;
}

/** The runs that this worker drives, each in a process of its own. */
export function createRunners({ command, job, env, metrics, say, cancelled }: RunnersParts) {
  const running = new Map<string, Runner>();
  return { running, drive, drain, kill, ended };

  async function drive(run: string, attempt: Attempt): Promise<{ readonly ending: Ending; readonly epoch?: number }> {
    let epoch: number | undefined;
    const own: Job = { ...job, run, attempt: { ...attempt, token: randomUUID() } };
    const runner = startRunner(command, own, withoutDatabase(env), (message) => {
      if (message.type === "driving") {
        epoch = message.epoch;
        metrics.claimed(message.lost);
        say("info", { run, type: "run.driving", epoch: message.epoch, lost: message.lost });
      } else if (message.type === "barrier") metrics.barrier(message.ms);
      else if (message.type === "said") say("debug", { run, says: message.text.slice(0, 500) });
    });
    running.set(run, runner);
    const signal = cancelled();
    const end = () => runner.kill();
    signal?.addEventListener("abort", end, { once: true });
    try {
      const ending = await runner.ended;
      return { ending, ...(epoch !== undefined && { epoch }) };
    } finally {
      signal?.removeEventListener("abort", end);
      if (running.get(run) === runner) running.delete(run);
    }
  }

  /** At the end of their turns. */
  function drain(): void {
    for (const runner of running.values()) runner.drain();
  }

  function kill(): void {
    for (const runner of running.values()) runner.kill();
  }

  async function ended(): Promise<void> {
    await Promise.all([...running.values()].map((runner) => runner.ended));
  }
}

/** A runner gets its address over a pipe. */
function withoutDatabase(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const { TILDONE_DATABASE_URL: _, ...rest } = env;
  return rest;
}
