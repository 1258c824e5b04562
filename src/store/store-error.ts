import { dirname } from "node:path";

/** Why the store cannot be used, with what to do about it. */
export const STORE_ERRORS = {
  no_folder:
    "The folder of the run log cannot be created. Create it yourself or set TILDONE_HOME to one you can write to.",
  no_access:
    "The run log cannot be opened for writing. Check the owner and the permissions of the file and its folder.",
  not_a_database: "The run log is not a SQLite database. Move the file away; the next start makes a new one.",
  not_ours: "The file is a SQLite database of another program. Set TILDONE_HOME to another folder.",
  newer: "The run log was written by a newer tildone. Update tildone, or set TILDONE_HOME to another folder.",
  damaged: "The run log is damaged on disk. Move the file away, or save what is left with `sqlite3 FILE .recover`.",
  busy: "Another process kept the run log locked for too long. Look for a tildone process that hangs, then try again.",
  failing:
    "The run log could not be read or written: the disk failed, or a limit on the size of files was reached. Check the disk and `ulimit -f`, then try again.",
  full: "The disk of the run log is full. Free some space, then try again.",
  no_sqlite: "This Node has no built-in SQLite. tildone needs Node 22.19 or newer.",
  changed: "The tables of the run log are not as tildone made them. Move the file away, or restore a backup.",
  no_key: "The key that signs the run log cannot be read. Check the file that TILDONE_LOG_KEY names, or unset it.",
  short_key: "The key that signs the run log is shorter than 32 characters. Make one with `openssl rand -hex 32`.",
  gone: "The run was removed from the log while it was in use. Start a new one.",
} as const satisfies Record<string, string>;
export type StoreErrorCode = keyof typeof STORE_ERRORS;

/** The log cannot be opened, read or written; the message says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, where: string, cause?: unknown) {
    super(`${STORE_ERRORS[code]} (${where})`, { cause });
    this.code = code;
  }
}

/** Turns what SQLite says into what the reader can do. What is no error of SQLite comes back as it is. */
export function explained(error: unknown, path: string): unknown {
  const said = SQLITE_CODES[primaryCode(error)] ?? (isAboutTables(error) ? "changed" : undefined);
  const code = said === "failing" && isFull(path) ? "full" : said;
  return code === undefined ? error : new StoreError(code, path, error);
}

/** SQLite calls it a failing disk when there is no room for the files that it keeps beside the log. */
function isFull(path: string): boolean {
  const { statfsSync } = process.getBuiltinModule("node:fs");
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < BESIDE_BYTES;
  } catch {
    return false; // the folder is gone, too
  }
}
const BESIDE_BYTES = 65_536;

/** SQLite has one code for every mistake in a statement. Ours are right on tables that are ours. */
const isAboutTables = (error: unknown): boolean =>
  primaryCode(error) === 1 &&
  /no such (table|column)|has no column|already exists|duplicate column|cannot modify .* because it is a view/.test(
    (error as Error).message,
  );

export const isBusy = (error: unknown): boolean => SQLITE_CODES[primaryCode(error)] === "busy";

const SQLITE_CODES: Readonly<Record<number, StoreErrorCode>> = {
  3: "no_access",
  5: "busy",
  6: "busy",
  8: "no_access",
  10: "failing",
  11: "damaged",
  13: "full",
  14: "no_access",
  23: "no_access",
  26: "not_a_database",
};

/** Node gives `errcode`, Bun `errno`; both may carry an extended code whose low byte is the primary one. */
function primaryCode(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  if (error.name === "SQLiteError" && "errno" in error && typeof error.errno === "number") return error.errno & 0xff;
  return 0;
}
