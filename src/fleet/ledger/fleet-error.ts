/** Why the database of the fleet cannot be used, with what to do about it. No sentence names the URL: it holds a password. */
export const FLEET_ERRORS = {
  no_pg: "The fleet needs the package `pg`. Install it beside tildone: npm install pg @dbos-inc/dbos-sdk",
  no_dbos:
    "The fleet needs the package `@dbos-inc/dbos-sdk`. Install it beside tildone: npm install pg @dbos-inc/dbos-sdk",
  bad_url:
    "The database URL is not one of PostgreSQL. It looks like this: postgres://user:password@host:5432/database?sslmode=verify-full",
  bad_schema: "fleet.schema must be 1 to 40 lowercase letters, digits and underscores, and begin with a letter.",
  unreachable:
    "The database cannot be reached. Check host and port of the database URL, and that PostgreSQL is running.",
  starting: "The database is starting up or shutting down. Try again in a moment.",
  crowded: "The database accepts no more connections. Raise max_connections, or run fewer workers.",
  full: "The disk of the database is full. Free some space; nothing was lost.",
  wrong_password: "The database refused the user name or the password. Check the database URL.",
  no_database: "The database that the URL names does not exist. Create it: createdb NAME",
  no_rights:
    "The user of the database URL may not do this. `tildone fleet init` needs the owner of the database; workers need the rights that `tildone fleet init --worker-role NAME` grants.",
  no_role: "There is no such role in the database. Create it first: CREATE ROLE name LOGIN PASSWORD '…'",
  read_only: "The database only allows reading: it is a standby. Name the primary in the database URL.",
  tls: "The connection to the database could not be secured. Check sslmode and sslrootcert in the database URL, and the certificate of the server.",
  tls_address:
    "With sslmode=verify-full the database URL has to name the server: its certificate is checked against the name, not against an IP address.",
  not_let_in:
    "The server does not let this user in from this machine (pg_hba.conf). If it wants TLS, add sslmode=verify-full to the database URL.",
  too_old: "This PostgreSQL is too old for the fleet. Version 14 or newer is needed.",
  no_schema:
    "The database was not prepared for the fleet. Run `tildone fleet init` once, as the owner of the database.",
  older: "The tables of the fleet are from an older tildone. Run `tildone fleet init` to update them.",
  newer: "The tables of the fleet are from a newer tildone. Update tildone on this machine.",
  locked: "Another `tildone fleet init` is running. Wait for it to end, then try again.",
} as const satisfies Record<string, string>;
export type FleetErrorCode = keyof typeof FLEET_ERRORS;

/** The fleet's database cannot be used; the message says what to do and holds nothing secret. */
export class FleetError extends Error {
  override readonly name = "FleetError";
  readonly code: FleetErrorCode;
  /** What the system called it: `ECONNREFUSED`, `28P01`. */
  readonly detail: string | undefined;

  /** Takes no cause: drivers of databases put whole URLs into their errors, and code that prints an error prints its cause. */
  constructor(code: FleetErrorCode, detail?: string) {
    super(detail === undefined ? FLEET_ERRORS[code] : `${FLEET_ERRORS[code]} (${detail})`);
    this.code = code;
    this.detail = detail;
  }
}

/** It passes: callers that need the database wait and ask again. */
export const isOutage = (error: unknown): boolean => error instanceof FleetError && PASSES.has(error.code);
const PASSES: ReadonlySet<FleetErrorCode> = new Set(["unreachable", "starting", "crowded", "full", "read_only"]);

/** Turns what PostgreSQL, TLS and sockets say into what the reader can do. What is no error of theirs comes back as it is. */
export function explained(error: unknown): unknown {
  if (error instanceof FleetError) return error;
  const { code, message } = saidBy(error);
  const known = codeOf(code, message);
  if (known) return new FleetError(known, code);
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return error;
  return new Error(`Internal error; please report it. PostgreSQL refused a statement: ${code}: ${firstLine(message)}`);
}

function codeOf(code: string | undefined, message: string): FleetErrorCode | undefined {
  if (code === "28000" && message.includes("pg_hba.conf")) return "not_let_in";
  if (code !== undefined && code in CODES) return CODES[code];
  if (code !== undefined && /^08/.test(code)) return "unreachable";
  if (code !== undefined && /CERT|TLS|SSL/.test(code)) return "tls";
  if (/does not support SSL|certificate|SSL/i.test(message)) return "tls";
  if (/timeout|terminated|Connection ended|not queryable|connection error/i.test(message)) return "unreachable";
  if (/password must be a string|client password/i.test(message)) return "wrong_password";
  return undefined;
}

const CODES: Readonly<Record<string, FleetErrorCode>> = {
  ECONNREFUSED: "unreachable",
  ECONNRESET: "unreachable",
  ENOTFOUND: "unreachable",
  EAI_AGAIN: "unreachable",
  ETIMEDOUT: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EPIPE: "unreachable",
  ENOENT: "unreachable",
  "57P01": "unreachable",
  "57P02": "unreachable",
  "57P05": "unreachable",
  "57014": "unreachable", // a statement that took too long: the server stands still
  "25P03": "unreachable", // idle in a transaction: this process stood still
  "55P03": "unreachable", // waited too long for a row that another one holds
  "40P01": "unreachable", // two waited for each other: one asks again
  "40001": "unreachable",
  "57P03": "starting",
  "53300": "crowded",
  "53100": "full",
  "53200": "crowded",
  "28P01": "wrong_password",
  "28000": "wrong_password",
  "3D000": "no_database",
  "42501": "no_rights",
  "42704": "no_role",
  "25006": "read_only",
  "3F000": "no_schema",
  "42P01": "no_schema",
  ERR_INVALID_URL: "bad_url",
};

function saidBy(error: unknown): { readonly code: string | undefined; readonly message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return saidBy(error.errors[0]);
  if (!(error instanceof Error)) return { code: undefined, message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { code, message: error.message };
}

/** Messages of PostgreSQL name tables and constraints, never values; those stand in `detail`, which is left out. */
const firstLine = (text: string): string => text.split("\n")[0]!.slice(0, 200);
