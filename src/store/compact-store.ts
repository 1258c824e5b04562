import { statSync } from "node:fs";
import { openDatabase } from "./node-driver.ts";

/** Gives the space of removed runs back to the disk; resolves with the bytes it freed. Another process may be in the way: then 0. */
export function compactStore(path: string): number {
  const before = sizeOf(path);
  const database = openDatabase(path);
  try {
    database.exec("PRAGMA busy_timeout = 2000");
    database.exec("VACUUM");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!/busy|locked/i.test(String(error))) throw error;
  } finally {
    database.close();
  }
  return Math.max(0, before - sizeOf(path));
}

/** The file and its log of writes. */
const sizeOf = (path: string): number =>
  [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
