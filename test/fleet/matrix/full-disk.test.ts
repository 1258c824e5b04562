import { chownSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { mountSmallDisk } from "../small-disk.ts";
import { useWorld } from "../use-world.ts";

const LONG = { timeout: 240_000 };
const fleet = useWorld();
const { workedOn, published } = fleet;

test("the disk of the database is full: it is said and waited for, and nothing is lost", LONG, async ({ skip }) => {
  using disk = mountSmallDisk(64);
  if (!disk) return skip("this user may not mount a small disk");
  const { sql, folder } = fleet.world.postgres;
  const { uid, gid } = statSync(folder);
  chownSync(disk.folder, uid, gid); // the server insists that it is its own
  const name = new URL(fleet.world.url).pathname.slice(1);
  await sql(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
  await sql("ALTER TABLE ALL IN TABLESPACE pg_default SET TABLESPACE small", name);
  await sql("ALTER INDEX ALL IN TABLESPACE pg_default SET TABLESPACE small", name);
  const machine = fleet.world.work("a1");
  const run = await fleet.world.submit();
  await workedOn(run, 1);
  disk.fill();
  await fleet.world.until("it waits", () => machine.lines.find(({ says }) => says?.includes("the database is full")));
  disk.free();
  expect(await published(run)).toEqual([]);
});
