import { Database as BunDatabase } from "bun:sqlite";
import type { Database } from "./database.ts";

export function openDatabase(path: string): Database {
  const database = new BunDatabase(path);
  return {
    exec: (sql) => void database.run(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values) => void statement.run(...values),
        get: (...values) => statement.get(...values) ?? undefined,
        all: (...values) => statement.all(...values),
      };
    },
    close: () => database.close(),
  };
}
