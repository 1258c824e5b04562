import { reportText } from "../../compose/index.ts";
import { type ChangedFile, pullRequestText } from "../../core/report/index.ts";
import { openDrivers } from "../../drivers/index.ts";
import { createReader, type Store } from "../../engine/index.ts";
import { systemClock } from "../../machine/index.ts";
import type { Papers, Submission } from "../ports.ts";

export interface PapersOf {
  readonly submission: Pick<Submission, "run" | "pr">;
  readonly store: Store;
  /** The home of the run, where its processes are known. */
  readonly home: string;
  /** What the result changed, asked only where it is needed. */
  readonly changes: () => Promise<readonly ChangedFile[]>;
}

/** What is written about a run that is over: its report, and a description for a pull request where one was asked for. */
export async function papersOf({ submission: { run, pr }, store, home, changes }: PapersOf): Promise<Papers> {
  const drivers = openDrivers({ state: home, clock: systemClock() });
  const reader = createReader(store, drivers, Date.now, () => ({}));
  const report = await reportText({ ...store, reader }, run, "md");
  const about = pr ? await reader.report(run) : undefined;
  if (!about) return { report };
  return { report, pr: pullRequestText(about, { branch: `tildone/${run}`, files: await changes() }) };
}
