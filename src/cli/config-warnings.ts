import { isDropped, loadConfig, sayProblem, sayWarning } from "../config/index.ts";
import type { RunCard } from "../engine/index.ts";
import type { HomeStore } from "./home.ts";
import type { Io } from "./io.ts";

/** What is wrong with the settings of a run's folder, one sentence each: yours stop tildone there, the project's are left out. */
export async function configWarnings(
  store: Pick<HomeStore, "isOfFleet">,
  { run, cwd, host }: Pick<RunCard, "run" | "cwd" | "host">,
  io: Io,
): Promise<readonly string[]> {
  if (store.isOfFleet(run)) return []; // its folder is on another machine
  const loaded = await loadConfig({ cwd, host, env: io.env, home: io.home });
  if (loaded.ok) return loaded.warnings.filter(isDropped).map(sayWarning);
  return [`tildone does nothing here until this is fixed: ${loaded.errors.map(sayProblem).join(" ")}`];
}
