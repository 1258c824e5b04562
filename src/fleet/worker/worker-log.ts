import { redact } from "../../core/secret/index.ts";

/** One line of the worker's own log. */
export type Say = (level: "debug" | "info" | "warn" | "error", fields: object) => void;

/** The address of the database is a secret, and errors may name it. */
export function createLog(write: (line: string) => void, worker: string, url: string): Say {
  return (level, fields) => {
    const line = JSON.stringify({ at: new Date().toISOString(), level, worker, ...fields });
    write(redact(line, [{ name: "database.url", value: url }]));
  };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
