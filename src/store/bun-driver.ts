import { Database as BunDatabase } from "bun:sqlite";
import type { Database } from "./database.ts";

export function openDatabase(path: string): Database {
  const database = new BunDatabase(path);
  const statements: { finalize(): void }[] = [];
  return {
    exec: (sql) => void database.run(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      statements.push(statement);
      return {
        run: (...values) => void statement.run(...values),
        get: (...values) => statement.get(...values) ?? undefined,
        all: (...values) => statement.all(...values),
        lists: (...values) => statement.values(...values),
      };
    },
    /** A statement left open would keep the file and its side files in use until garbage is collected. */
    close() {
      for (const statement of statements) statement.finalize();
      database.close();
    },
  };
}
