import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countedTokens } from "../../../src/core/run/index.ts";
import { openMirror, submitGoal, tellFleet } from "../../../src/fleet/index.ts";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { asksOnce, stopsAfterEachItem } from "../../e2e/pi/models.ts";
import { askedBy } from "../asked-by.ts";
import { useWorld } from "../use-world.ts";

const LONG = { timeout: 240_000 };
const fleet = useWorld();
const { becomes, events, workedOn, published } = fleet;

/** As `tildone approve` says it. */
async function approve(run: string) {
  const { ledger } = fleet.world;
  const { copy } = openMirror(ledger, Date.now, () => ({}));
  const wake = async () => {};
  const told = await tellFleet(
    { ledger, copy, run, now: Date.now(), wake },
    { type: "human.answer", outcome: "once", words: "", call: undefined },
  );
  expect(told).toMatchObject({ status: "done" });
}

test.each([
  ["the same call: it is not asked for again", "a", "sleep 5; touch made.txt", 0],
  ["another call: you are asked again", "b", "touch other.txt", 1],
])("an approval survives the machine, and holds for %s", LONG, async (_what, name, repeated, askedAgain) => {
  const machines = [`${name}1`, `${name}2`].map((id) => fleet.world.work(id));
  fleet.world.model.play(asksOnce(1, "sleep 5; touch made.txt"));
  const run = await fleet.world.submit({ approval: "auto-edit" });
  await fleet.world.until("a question", async () => (await events(run, "approval.requested")) === 1);
  const driver = (await fleet.world.ledger.get(run))?.driver;
  await approve(run);
  await fleet.world.until("the answer", async () => (await fleet.world.ledger.words(run))[0]?.appliedSeq !== undefined);
  machines.find(({ id }) => id === driver)!.signal("SIGKILL");
  fleet.world.model.play(asksOnce(1, repeated));
  if (askedAgain > 0) {
    await fleet.world.until("the takeover", async () => (await fleet.world.ledger.get(run))?.epoch === 2);
    await fleet.world.until("a question", async () => (await events(run, "approval.requested")) === 1);
    expect(await events(run, "approval.answered")).toBe(0);
    await approve(run);
  }
  const found = await becomes(run, "finished");
  expect(found).toMatchObject({ epoch: 2 });
  expect([await events(run, "approval.requested"), await events(run, "approval.answered")]).toEqual([1, 1]);
});

/** Works, and stands still after the first item until it is let go: the machine dies in the middle of that turn. */
function stopsInTurn(works: (request: ModelRequest) => Step) {
  const gate = Promise.withResolvers<void>();
  const script = (request: ModelRequest): Step => {
    const last = request.messages.at(-1);
    const isDone = last?.role === "tool" && /^Completed \[0\]/.test(last.text);
    return { ...works(request), ...(isDone && { after: gate.promise }) };
  };
  return { script, letGo: gate.resolve };
}

test("what the lost turn used counts against the budget", LONG, async () => {
  for (const id of ["c1", "c2"]) fleet.world.work(id);
  const { script, letGo } = stopsInTurn(stopsAfterEachItem(3));
  fleet.world.model.play(script);
  const run = await fleet.world.submit({ budget: { tokens: 100_000 } });
  (await workedOn(run, 1)).signal("SIGKILL");
  letGo();
  expect(await published(run)).toEqual([]);
  const answers = (rows: readonly { readonly event: string }[]) =>
    rows.filter(({ event }) => event.startsWith('{"type":"answer.seen"')).length;
  const lost = answers(await fleet.world.ledger.lostRows(run));
  const kept = answers(await fleet.world.ledger.rows(run, 0, 10_000));
  expect(lost).toBeGreaterThan(0);
  const { reader } = openMirror(fleet.world.ledger, Date.now, () => ({}));
  const { spent } = (await reader.read(run))!.run.ledger;
  expect(countedTokens(spent)).toBe(TOKENS * (kept + lost));
});

test("a conversation that was compacted continues from its summary on another machine", LONG, async () => {
  for (const id of ["d1", "d2"]) {
    const folder = join(fleet.world.root, id, "pi");
    mkdirSync(folder, { recursive: true });
    const models = [{ id: "m", contextWindow: 100_000, maxTokens: 4000 }];
    const small = { api: "openai-completions", apiKey: "x", baseUrl: `${fleet.world.model.url}/v1`, models };
    writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { small } }));
    writeFileSync(join(folder, "settings.json"), JSON.stringify({ compaction: { keepRecentTokens: 200 } }));
    fleet.world.work(id);
  }
  let size = 0;
  const summaries: number[] = [];
  fleet.world.model.play((request, count) => {
    if (request.tools.length === 0) {
      size = 0;
      summaries.push(count);
      return { text: "SUMMARY: some items are done." };
    }
    size += 15_000;
    return { ...stopsAfterEachItem(5)(request), usage: { input: size - 100, output: 100 } };
  });
  const { baseUrl: _, ...goal } = fleet.world.aGoal({ model: "small/m" });
  await submitGoal({ url: fleet.world.url }, fleet.world.ledger, goal);
  await fleet.world.until("a summary", () => summaries.length > 0);
  const first = await workedOn(goal.run, 3);
  const before = fleet.world.model.requests.length;
  first.signal("SIGKILL");
  expect(await published(goal.run, 5)).toEqual([]);
  const [next] = fleet.world.model.requests.slice(before).filter((asked) => askedBy(asked)?.machine !== first.id);
  expect(next!.messages.map(({ text }) => text).join("\n")).toContain("SUMMARY: some items are done.");
});

/** Of one answer of the scripted model. */
const TOKENS = 15;
