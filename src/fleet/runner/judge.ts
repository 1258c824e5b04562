import { join } from "node:path";
import { checksFor, steadyClock } from "../../compose/index.ts";
import { loadConfig } from "../../config/index.ts";
import { openProcessGroups } from "../../machine/index.ts";
import type { Row } from "../ports.ts";

/** The name of the state from before the work that judges a run; undefined: nothing does. */
export function judgeIn(rows: readonly Row[]): string | undefined {
  const row = rows.findLast(({ event }) => event.startsWith('{"type":"guard.taken"'));
  return row && (JSON.parse(row.event) as { guard: string }).guard;
}

export interface JudgePlace {
  readonly work: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Keeps the files as they are now as that state: on this machine, with what surrounds them here. */
export async function takeJudge({ work, home, env }: JudgePlace): Promise<string | undefined> {
  const userHome = env.HOME ?? "/";
  const own = { ...env, TILDONE_HOME: home };
  const loaded = await loadConfig({ cwd: work, env: own, home: userHome });
  if (!loaded.ok) return undefined;
  const checks = await checksFor({
    clock: steadyClock(),
    env: own,
    config: loaded.config,
    snapshots: join(home, "snapshots"),
    groups: openProcessGroups(home),
    home: userHome,
    own: [home, home],
  });
  return checks.guard({ cwd: work, session: "", checks: [] });
}

/** The same rows, with the state as it is called here. */
export const judgedBy = (rows: readonly Row[], before: string, here: string): readonly Row[] =>
  rows.map((row) =>
    row.event.startsWith('{"type":"guard.taken"') ? { ...row, event: row.event.replaceAll(before, here) } : row,
  );
