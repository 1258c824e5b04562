import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { processStart } from "../../src/machine/index.ts";
import { type Step, startScriptedModel } from "../../src/testing/index.ts";
import { aPlace } from "../e2e/agent/tildone.ts";

/** TILDONE_KILLS=300 for the long form. */
const KILLS = Number(process.env.TILDONE_KILLS ?? 4);

/** Writes down who it is, leaves one child that listens to nobody, and stays. */
const STAYS = "trap '' TERM; sleep 301 & echo $$ $! > pids.new; mv pids.new pids; while :; do wait; done";

test("what a killed tildone left running is ended by the next one", { timeout: 60_000 + KILLS * 10_000 }, async () => {
  await using place = aPlace({ TILDONE_APPROVAL: "yolo" });
  const noted = join(place.project, "pids");
  const calls = await startScriptedModel((): Step => ({ calls: [["bash", { command: STAYS }]] }));
  const stops = await startScriptedModel(
    (_request, count): Step =>
      count % 2 === 1
        ? { calls: [["write_todos", { mode: "replace", todos: [{ text: "x" }] }]] }
        : { calls: [["edit_todos", { action: "complete", indices: [0] }]] },
  );
  let left = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const inCheck = kill % 2 === 1;
    const run = ["run", "work", "--model", "scripted", "--base-url", inCheck ? stops.url : calls.url];
    const life = place.start(...run, ...(inCheck ? ["--check", STAYS] : []));
    await Promise.race([
      vi.waitFor(() => expect(existsSync(noted)).toBe(true), { timeout: 60_000, interval: 5 }),
      life.ended,
    ]);
    const pids = readFileSync(noted, "utf8").trim().split(" ").map(Number);
    life.child.kill("SIGKILL");
    await life.ended;
    rmSync(noted);
    left += pids.filter((pid) => processStart(pid) !== undefined).length;
    await place.tildone("status");
    expect(pids.map(processStart), inCheck ? "in a check" : "in a call").toEqual([undefined, undefined]);
  }
  await Promise.all([calls.close(), stops.close()]);
  expect(left).toBe(2 * KILLS);
  expect(readdirSync(join(place.env.TILDONE_HOME, "groups"))).toEqual([]);
});
