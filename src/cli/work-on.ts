import type { HostName } from "../config/index.ts";
import type { Begun } from "./begin-run.ts";
import type { Given } from "./command.ts";
import { readyToWork } from "./home.ts";
import type { Io } from "./io.ts";
import { keepLog } from "./keep-log.ts";
import { runAlone } from "./run-alone.ts";
import { runSupervised } from "./run-supervised.ts";
import type { Task } from "./run-task.ts";

export interface Work extends Begun {
  readonly task: Task;
  /** Absent: tildone's own agent. */
  readonly host: HostName | undefined;
  /** What turned while everything was loaded. */
  readonly stopSpinning: () => void;
}

/** `tildone run` from where it has said what it works with. */
export async function workOn(work: Work, given: Given, io: Io): Promise<number> {
  try {
    await readyToWork(io);
    const exit = await (work.host ? runSupervised(work.host, work, given, io) : runAlone(work, given, io));
    await keepLog(io);
    return exit;
  } finally {
    work.stopSpinning();
  }
}
