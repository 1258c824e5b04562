import { join } from "node:path";
import { expect, test } from "vitest";
import { type Moment, stoppingGit } from "../stopping-git.ts";
import { useWorld } from "../use-world.ts";

const LONG = { timeout: 240_000 };
const fleet = useWorld();
const { becomes, workedOn, published } = fleet;

/** Machines whose git stands still where the test says. */
function stoppable(...ids: readonly string[]) {
  return new Map(
    ids.map((id) => {
      const git = stoppingGit(join(fleet.world.root, id));
      fleet.world.work(id, {}, { PATH: git.PATH });
      return [id, git] as const;
    }),
  );
}

test.each([
  ["after the commit", "a"],
  ["after the push", "b"],
] as const)("killed in the middle of a checkpoint, %s: every step counts once", LONG, async (moment: Moment, name) => {
  const gits = stoppable(`${name}1`, `${name}2`);
  const run = await fleet.world.submit();
  const first = await workedOn(run, 1);
  await fleet.world.until(moment, gits.get(first.id)!.stopAt(moment));
  const { checkpoint } = (await fleet.world.ledger.get(run))!;
  first.signal("SIGKILL");
  expect(await published(run)).toEqual([]);
  expect((await fleet.world.ledger.get(run))?.epoch).toBe(2);
  expect((await fleet.world.ledger.lostRows(run)).every(({ seq }) => seq > (checkpoint?.seq ?? 0))).toBe(true);
});

test("a machine that stands still before it publishes: another one does, and twice is harmless", LONG, async () => {
  const gits = stoppable("c1", "c2");
  const there = [...gits.values()].map((git) => git.stopAt("before publishing"));
  const run = await fleet.world.submit();
  await becomes(run, "finished");
  await fleet.world.until("the first one stands there", () => there.some((isThere) => isThere()));
  const first = fleet.world.machines.findLast(({ lines }) => lines.some(({ type }) => type === "run.driving"))!;
  first.signal("SIGSTOP");
  gits.get(first.id === "c1" ? "c2" : "c1")!.letGo("before publishing");
  expect(await published(run)).toEqual([]);
  const branch = () => fleet.world.git(fleet.world.remote, "rev-parse", `refs/heads/tildone/${run}`);
  const made = branch();
  gits.get(first.id)!.letGo("before publishing");
  first.signal("SIGCONT");
  await fleet.world.until("the late one published, too", () =>
    first.lines.find(({ type }) => type === "run.published"),
  );
  expect(branch()).toBe(made);
  expect(await fleet.world.judge(run)).toEqual([]);
});
