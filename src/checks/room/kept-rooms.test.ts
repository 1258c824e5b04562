import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listFolder } from "./folder-listing.ts";
import { keepRooms, lookAhead } from "./kept-rooms.ts";

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "kept-"));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const kept = async () => ({
  ...{ folder: work, work, entries: new Map(), tree: "", besides: "" },
  listing: await listFolder(work),
});

test("a room that is listed ahead is taken with that listing once, and only where it is the same room", async () => {
  const rooms = keepRooms();
  rooms.put("/project", await kept());
  const ahead = lookAhead(rooms, "/project");
  expect(ahead.take("/other")).toBeUndefined();
  const first = ahead.take("/project");
  expect((await first?.relisted)?.now.rows).toEqual([]);
  writeFileSync(join(work, "written"), "by a check\n");
  ahead.put("/project", await kept());
  expect(ahead.take("/project")?.relisted).toBeUndefined();
});

test("what was listed for one round is not there for the next", async () => {
  const rooms = keepRooms();
  rooms.put("/project", await kept());
  lookAhead(rooms, "/project");
  expect(rooms.take("/project")).toMatchObject({ work });
  rooms.put("/project", await kept());
  expect(rooms.take("/project")?.relisted).toBeUndefined();
});

test("where no room is kept, there is nothing to look at", () => {
  expect(lookAhead(keepRooms(), "/project").take("/project")).toBeUndefined();
});
