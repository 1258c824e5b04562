/** Drives one run: started by a worker, which says over a pipe which one. Ends when the worker does. */
import { driveRun } from "./drive-run.ts";
import type { Ending, FromRunner, Job, ToRunner } from "./job.ts";

export function main(): void {
  const drain = new AbortController();
  const tell = (message: FromRunner): void => {
    if (process.connected) process.send!(message);
  };
  process.on("disconnect", () => process.exit(1)); // what it started dies with it
  process.on("SIGTERM", () => drain.abort());
  process.on("SIGINT", () => {}); // a terminal tells the worker, too
  process.on("message", (message: ToRunner) => {
    if (message.type === "drain") drain.abort();
    else void drive(message.job).then(end);
  });

  async function drive(job: Job): Promise<Ending> {
    try {
      return await driveRun({ job, env: process.env, tell, drain: drain.signal });
    } catch (error) {
      return { type: "died", why: error instanceof Error ? error.message : String(error) };
    }
  }

  function end(ending: Ending): void {
    if (!process.connected) process.exit(1);
    process.send!({ type: "ended", ending } satisfies FromRunner, undefined, {}, () => process.exit(0));
  }
}
