import type pg from "pg";
import { FleetError } from "./fleet-error.ts";

/** Optional packages: without a fleet they are neither installed nor loaded. */
export async function loadPg(): Promise<typeof pg> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    throw isMissing(error) ? new FleetError("no_pg") : error;
  }
}

export async function loadDbos(): Promise<typeof import("@dbos-inc/dbos-sdk")> {
  process.noDeprecation = true; // how it uses its database is nothing that you could change
  try {
    return await import("@dbos-inc/dbos-sdk");
  } catch (error) {
    throw isMissing(error) ? new FleetError("no_dbos") : error;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
