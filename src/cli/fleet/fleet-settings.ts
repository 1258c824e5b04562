import { directories, loadConfig, sayProblem } from "../../config/index.ts";
import { Failure } from "../command.ts";
import type { Io } from "../io.ts";
import { settingsEnv } from "../settings-env.ts";
import { readUp } from "./up-file.ts";

/** What the settings say of the fleet, with a database. */
export async function fleetSettings(io: Io) {
  const loaded = await loadConfig({ cwd: io.cwd, env: settingsEnv(io), home: io.home });
  if (!loaded.ok) throw new Failure(loaded.errors.map(sayProblem).join("\n"), 2);
  const up = loaded.config.fleet.url === undefined ? readUp(directories(io).state) : undefined;
  const { url, ...rest } = { ...loaded.config.fleet, ...(up && { url: up.url, schema: up.schema }) };
  if (url === undefined)
    throw new Failure(
      "No database is set for the fleet. To try it on this machine: tildone fleet up. Else set TILDONE_DATABASE_URL, or run: tildone config set database.url postgresql://…",
      2,
    );
  return { url, ...rest };
}
