import type { Environment } from "../config/index.ts";
import type { Io } from "./io.ts";

/** The environment as the settings see it: with what no other program is given. Only for reading settings. */
export const settingsEnv = ({ env, databaseUrl }: Pick<Io, "env" | "databaseUrl">): Environment =>
  databaseUrl === undefined ? env : { ...env, TILDONE_DATABASE_URL: databaseUrl };
