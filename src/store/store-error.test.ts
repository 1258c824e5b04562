import { expect, test } from "vitest";
import { explained, StoreError, type StoreErrorCode } from "./store-error.ts";

const node = (errcode: number) => Object.assign(new Error("from node:sqlite"), { code: "ERR_SQLITE_ERROR", errcode });
const bun = (errno: number) => Object.assign(new Error("from bun:sqlite"), { name: "SQLiteError", errno });

test.each<[string, Error, StoreErrorCode]>([
  ["locked for too long", node(5), "busy"],
  ["locked while another process recovers the file", node(261), "busy"],
  ["locked, seen by Bun", bun(5), "busy"],
  ["damaged", bun(11), "damaged"],
  ["a page that cannot be read", node(779), "damaged"],
  ["disk full", node(13), "full"],
  ["read-only", node(8), "no_access"],
  ["cannot be opened", bun(14), "no_access"],
  ["not a database", node(26), "not_a_database"],
])("%s", (_what, error, code) => {
  const answer = explained(error, "/state/runs.db");
  expect(answer).toMatchObject({ code, cause: error, message: expect.stringContaining("(/state/runs.db)") });
  expect(answer).toBeInstanceOf(StoreError);
});

test.each([
  ["an error of ours", new Error("mistake")],
  ["an error of the file system", Object.assign(new Error("no such file"), { errno: -2, code: "ENOENT" })],
  ["a broken rule of the tables", node(19)],
  ["no error at all", "text"],
])("%s comes through as it is", (_what, error) => expect(explained(error, "/state/runs.db")).toBe(error));
