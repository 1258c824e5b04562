import type { Database, Row, Value } from "./database.ts";
import { StoreError } from "./store-error.ts";

export function openDatabase(path: string): Database {
  const sqlite = loadQuietly();
  if (!sqlite) throw new StoreError("no_sqlite", `Node ${process.versions.node}`);
  const database = new sqlite.DatabaseSync(path);
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values: Value[]) => void statement.run(...values),
        get: (...values: Value[]) => statement.get(...values) as Row | undefined,
        all: (...values: Value[]) => statement.all(...values) as Row[],
        lists(...values: Value[]) {
          statement.setReturnArrays(true);
          try {
            return statement.all(...values) as unknown as unknown[][];
          } finally {
            statement.setReturnArrays(false);
          }
        },
      };
    },
    close: () => database.close(),
  };
}

/**
 * Node 22 warns that SQLite is experimental, at the moment the module is first loaded, on the terminal of a user who
 * never asked for SQLite. Loading is synchronous, so nothing else can warn while this one warning is being dropped.
 */
function loadQuietly(): typeof import("node:sqlite") | undefined {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes("SQLite is an experimental feature"))
      Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
