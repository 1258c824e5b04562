/** The part of SQLite that both drivers speak. Everything is synchronous: a write transaction must not be interleaved. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: readonly Value[]): void;
  get(...values: readonly Value[]): Row | undefined;
  all(...values: readonly Value[]): readonly Row[];
  /** Each row as the list of its columns: for reading many. */
  lists(...values: readonly Value[]): readonly (readonly unknown[])[];
}

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;
