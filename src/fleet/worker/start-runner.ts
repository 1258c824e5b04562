import { spawn } from "node:child_process";
import type { Ending, FromRunner, Job, ToRunner } from "../runner/job.ts";

export interface Runner {
  readonly pid: number;
  /** Also when it was killed: `died`. */
  readonly ended: Promise<Ending>;
  drain(): void;
  kill(): void;
}

/** One process for each run: what a run does to its process, it does to no other. */
export function startRunner(
  command: readonly string[],
  job: Job,
  env: Readonly<Record<string, string | undefined>>,
  heard: (message: FromRunner) => void,
): Runner {
  const [program, ...args] = command;
  const child = spawn(program!, args, {
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "json",
  });
  let ending: Ending | undefined;
  let grandchild: number | undefined;
  let complaint = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-2_000);
  });
  child.on("message", (message: FromRunner) => {
    if (message.type === "ended") ending = message.ending;
    if (message.type === "child") grandchild = message.pid;
    heard(message);
  });
  const ended = new Promise<Ending>((resolve) => {
    child.on("error", (error) => resolve({ type: "died", why: error.message }));
    child.on("exit", (code, signal) => {
      endGroup();
      const why = signal === null ? `exit ${code}` : `killed by ${signal}`;
      const said =
        complaint
          .trim()
          .split("\n")
          .findLast((line) => /Error/.test(line)) ?? "";
      resolve(ending ?? { type: "died", why: `the process that works on it ended (${why}) ${said}`.trim() });
    });
  });
  say({ type: "job", job });
  return { pid: child.pid ?? 0, ended, drain: () => say({ type: "drain" }), kill: () => void child.kill("SIGKILL") };

  function say(message: ToRunner): void {
    if (child.connected) child.send(message, () => {});
  }

  /** Its agent dies with it; where the shell between was killed, too, this ends it. */
  function endGroup(): void {
    if (grandchild === undefined || grandchild <= 0) return;
    try {
      process.kill(-grandchild, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
