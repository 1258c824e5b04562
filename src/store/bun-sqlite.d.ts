/** The part of Bun's own SQLite that the driver uses. */
declare module "bun:sqlite" {
  type Value = string | number | null;
  type Row = Readonly<Record<string, unknown>>;
  export class Database {
    constructor(path: string);
    run(sql: string): unknown;
    prepare(sql: string): {
      run(...values: readonly Value[]): unknown;
      get(...values: readonly Value[]): Row | null;
      values(...values: readonly Value[]): unknown[][];
      finalize(): void;
      all(...values: readonly Value[]): Row[];
    };
    close(): void;
  }
}
