import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { slowly } from "../fleet-world.ts";
import { useWorld } from "../use-world.ts";

const LONG = { timeout: 240_000 };
const fleet = useWorld();
const { becomes, events, steps, workedOn, published } = fleet;

const words = (id: string, text: string) => ({ type: "words.queue", words: { id, text, kind: "steer" } }) as const;

test("a hold parks the run and frees its slot; words and unhold continue it, each heard once", LONG, async () => {
  fleet.world.work("a1", { slots: 1 });
  const run = await fleet.world.submit();
  await fleet.world.until("a step", async () => (await steps(run)) >= 1);
  await fleet.world.say(run, { type: "human.hold", now: false });
  expect(await becomes(run, "parked")).toMatchObject({ outcome: "held", generation: 1 });
  const other = await fleet.world.submit();
  await becomes(other, "running", "finished");
  await becomes(other, "finished");
  await fleet.world.say(run, { type: "human.unhold" });
  expect(await published(run)).toEqual([]);
  expect((await fleet.world.ledger.get(run))?.generation).toBe(2);
  expect([await events(run, "human.held"), await events(run, "human.unheld")]).toEqual([1, 1]);
});

test("a hold survives the death of the machine", LONG, async () => {
  const machines = ["b1", "b2"].map((id) => fleet.world.work(id));
  const run = await fleet.world.submit();
  await fleet.world.until("a step", async () => (await steps(run)) >= 1);
  const driver = (await fleet.world.ledger.get(run))?.driver;
  await fleet.world.say(run, { type: "human.hold", now: false });
  await fleet.world.until(
    "the hold in the log",
    async () => (await fleet.world.ledger.words(run))[0]?.appliedSeq !== undefined,
  );
  machines.find(({ id }) => id === driver)!.signal("SIGKILL");
  expect(await becomes(run, "parked")).toMatchObject({ outcome: "held" });
  expect(await events(run, "human.held")).toBe(1);
  expect(await events(run, "human.unheld")).toBe(0);
  await fleet.world.say(run, { type: "human.unhold" });
  expect(await published(run)).toEqual([]);
});

test("words that were said while it waited in the queue reach the agent once", LONG, async () => {
  const run = await fleet.world.submit();
  await fleet.world.say(run, words("w1", "Please use tabs."));
  fleet.world.work("c1");
  expect(await published(run)).toEqual([]);
  expect(await events(run, "words.queued")).toBe(1);
  const heard = fleet.world.model.requests.filter(({ messages }) =>
    messages.slice(-2).some(({ role, text }) => role === "user" && text.includes("Please use tabs.")),
  );
  expect(heard.length).toBe(1);
});

test("a message that cannot be read is refused, and keeps back no other", LONG, async () => {
  const run = await fleet.world.submit();
  await fleet.world.ledger.say({ run, trigger: "{not json", from: "{}" });
  await fleet.world.ledger.say({ run, trigger: '{"type":"human.hold","now":false}', from: "{}" });
  fleet.world.work("d1");
  expect(await becomes(run, "parked", "finished")).toMatchObject({ state: "parked", outcome: "held" });
  const [first, second] = await fleet.world.ledger.words(run);
  expect([first?.refused, second?.refused]).toEqual([expect.stringContaining("could not be read"), undefined]);
});

test("a cancelled run ends at once and frees its slot", LONG, async () => {
  fleet.world.model.play(slowly(3, 3_000));
  const machine = fleet.world.work("e1", { slots: 1 });
  const run = await fleet.world.submit();
  await fleet.world.until(
    "its driver",
    async () => (await fleet.world.ledger.get(run))?.state === "running" && machine.pids().length > 2,
  );
  const began = Date.now();
  expect(await fleet.world.ledger.cancel(run, "a test")).toBe(true);
  await fleet.world.until("no process of it", () => machine.pids().length <= 1);
  expect(Date.now() - began).toBeLessThan(15_000);
  fleet.world.model.play(slowly(3, 50));
  expect(await published(await fleet.world.submit())).toEqual([]);
  expect((await fleet.world.ledger.get(run))?.state).toBe("cancelled");
});

test("a run that kills who drives it is poisoned, and the fleet goes on", LONG, async () => {
  fleet.world.work("f1");
  const run = await fleet.world.submit({ prepare: "kill -9 $(ps -o ppid= -p $PPID)" });
  expect(await becomes(run, "poisoned", "finished", "parked")).toMatchObject({ state: "poisoned" });
  expect(await published(await fleet.world.submit())).toEqual([]);
});

test("the log of a newer tildone: the worker hands it back and ends with 75", LONG, async () => {
  const run = await fleet.world.submit();
  await fleet.world.postgres.sql(
    `UPDATE tildone.runs SET event_version = 100000 WHERE run = '${run}'`,
    new URL(fleet.world.url).pathname.slice(1),
  );
  const machine = fleet.world.work("g1");
  expect(await machine.exited).toBe(75);
  expect(await fleet.world.ledger.get(run)).toMatchObject({ state: "queued", epoch: 0 });
  await fleet.world.ledger.cancel(run, "a test"); // or every later worker meets it
});

test("the most urgent goes first, and one of a repository at a time", LONG, async () => {
  const runs = [
    await fleet.world.submit({ priority: 9 }),
    await fleet.world.submit({ priority: 1 }),
    await fleet.world.submit({ priority: 5 }),
  ];
  for (const id of ["h1", "h2"]) fleet.world.work(id, { slots: 2, perRepository: 1 });
  let most = 0;
  await fleet.world.until(
    "the end of all",
    async () => {
      const running = await fleet.world.ledger.list({ states: ["running"] });
      most = Math.max(most, running.filter(({ run }) => runs.includes(run)).length);
      const all = await Promise.all(runs.map((run) => fleet.world.ledger.get(run)));
      return all.every((each) => each?.state === "finished");
    },
    200_000,
  );
  expect(most).toBe(1);
  const claimed = fleet.world.machines
    .flatMap(({ lines }) => lines.filter(({ type, run }) => type === "run.driving" && runs.includes(run ?? "")))
    .sort((a, b) => a.at.localeCompare(b.at))
    .map(({ run }) => run);
  expect(claimed[0]).toBe(runs[1]);
  expect([...claimed].sort()).toEqual([...runs].sort());
});

test("labels: only a worker that has them takes it", LONG, async () => {
  fleet.world.work("i1");
  const run = await fleet.world.submit({ needs: ["gpu"] });
  const other = await fleet.world.submit();
  await becomes(other, "finished");
  expect((await fleet.world.ledger.get(run))?.state).toBe("queued");
  fleet.world.work("i2", { labels: ["gpu", "linux"] });
  expect(await published(run)).toEqual([]);
});

test("a repository that the worker does not allow stays on the queue for others", LONG, async () => {
  const machine = fleet.world.work("j1", { allow: ["https://example.com/team/*"] });
  const run = await fleet.world.submit({ prepare: `touch ${join(fleet.world.root, "never")}` });
  await fleet.world.until("left", () => machine.lines.find(({ type }) => type === "run.left"));
  expect((await fleet.world.ledger.get(run))?.epoch).toBe(0);
  expect(existsSync(join(fleet.world.root, "never"))).toBe(false);
  fleet.world.work("j2");
  expect(await published(run)).toEqual([]);
});

test("a second worker of the same name is refused in one sentence", LONG, async () => {
  const first = fleet.world.work("k1");
  await fleet.world.until("its start", () => first.lines.find(({ says }) => says === "started"));
  const second = fleet.world.work("k1");
  expect(await second.exited).toBe(1);
  const elsewhere = fleet.world.work("k1", { state: join(fleet.world.root, "elsewhere") });
  expect(await elsewhere.exited).toBe(1);
  const said = [...second.lines, ...elsewhere.lines].map(({ says }) => says).join("\n");
  expect(said.match(/A worker named k1 is already running/g)?.length).toBeGreaterThanOrEqual(2);
});

test("a remote that is gone or refuses the files parks the run with a sentence", LONG, async () => {
  fleet.world.work("l1");
  const gone = await fleet.world.submit({ repo: join(fleet.world.root, "nowhere.git") });
  expect((await becomes(gone, "parked")).outcome).toMatch(/There is no repository at/);
  const strict = join(fleet.world.root, "strict.git");
  fleet.world.git(fleet.world.root, "clone", "-q", "--bare", fleet.world.remote, strict);
  writeFileSync(join(strict, "hooks/update"), '#!/bin/sh\ncase "$1" in refs/tildone/*) exit 1;; esac\n', {
    mode: 0o755,
  });
  const refused = await fleet.world.submit({ repo: strict });
  expect((await becomes(refused, "parked")).outcome).toMatch(/refuses refs\/tildone\/fleet/);
});

test("the agent never sees the database", LONG, async () => {
  fleet.world.model.play((_request, count) =>
    count % 2 === 1
      ? {
          calls: [
            ["write_todos", { mode: "replace", todos: [{ text: "look" }] }],
            ["bash", { command: "env > seen.txt; cat /proc/$PPID/environ >> seen.txt; true" }],
          ],
        }
      : { text: "ok" },
  );
  fleet.world.work("m1");
  const run = await fleet.world.submit();
  const found = await becomes(run, "parked", "finished");
  const commit = found.resultCommit ?? found.checkpoint?.commit ?? "";
  const seen = fleet.world.git(fleet.world.remote, "show", `${commit}:seen.txt`);
  expect(seen).toContain("TILDONE_BARRIER");
  expect(seen).not.toContain("postgres://");
});

test("a turn that takes longer than the worker waits is cut, and another worker repeats it", LONG, async () => {
  for (const id of ["n1", "n2"]) fleet.world.work(id, { drainMs: 500 });
  const run = await fleet.world.submit();
  const first = await workedOn(run, 1);
  const asked = fleet.world.model.requests.length;
  fleet.world.model.play(slowly(3, 60_000));
  await fleet.world.until("a turn that is longer", async () => fleet.world.model.requests.length > asked);
  first.signal("SIGTERM", "worker");
  expect(await first.exited).toBe(0);
  fleet.world.model.play(slowly(3, 100));
  expect(await published(run)).toEqual([]);
});
