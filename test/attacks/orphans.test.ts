import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { processStart } from "../../src/machine/index.ts";
import { openStore } from "../../src/store/index.ts";
import { type ModelRequest, type ScriptedModel, type Step, startScriptedModel } from "../../src/testing/index.ts";
import { aPlace, type Place } from "../e2e/agent/tildone.ts";

/** TILDONE_KILLS=300 for the long form. */
const KILLS = Number(process.env.TILDONE_KILLS ?? 4);

/** Writes down who it is, leaves one child that ignores every signal, and stays. */
const STAYS = "trap '' TERM; sleep 301 & echo $$ $! > pids.new; mv pids.new pids; while :; do wait; done";
const LIST = ["write_todos", { mode: "replace", todos: [{ text: "x" }] }] as const;

/** Has a list and a command answered first, so that something is acknowledged when the kill comes. */
const inCall = ({ messages }: ModelRequest): Step => {
  const answers = messages.filter(({ role }) => role === "tool").length;
  if (answers === 0) return { calls: [LIST] };
  return { calls: [["bash", { command: answers === 1 ? "echo worked" : STAYS }]] };
};
const inCheck = ({ messages }: ModelRequest): Step =>
  messages.some(({ role }) => role === "tool")
    ? { calls: [["edit_todos", { action: "complete", indices: [0] }]] }
    : { calls: [LIST] };

/** Where the kill falls: in a call, in a check, or a moment after the model was asked for the first, second or third time. */
const MOMENTS = ["in a call", "in a check", "at any moment"] as const;

test("a killed tildone leaves nothing running behind and loses nothing that it said", {
  timeout: 60_000 + KILLS * 20_000,
}, async () => {
  await using place = aPlace({ TILDONE_APPROVAL: "yolo" });
  const noted = join(place.project, "pids");
  const calls = await startScriptedModel(inCall);
  const stops = await startScriptedModel(inCheck);
  const seen = { left: 0, expected: 0, printed: 0, answered: 0 };
  for (let kill = 0; kill < KILLS; kill++) {
    const moment = MOMENTS[kill % MOMENTS.length]!;
    const model = moment === "in a check" ? stops : calls;
    const before = model.requests.length;
    const run = ["run", "work", "--json", "--model", "scripted", "--base-url", model.url];
    const life = place.start(...run, ...(moment === "in a check" ? ["--check", STAYS] : []));
    if (moment === "at any moment") await anyMoment(model, before, kill);
    else
      await Promise.race([
        vi.waitFor(() => expect(existsSync(noted)).toBe(true), { timeout: 60_000, interval: 5 }),
        life.ended,
      ]);
    life.child.kill("SIGKILL");
    const { out } = await life.ended;
    const pids = pidsIn(noted);
    seen.expected += pids.length;
    seen.left += pids.filter((pid) => processStart(pid) !== undefined).length;
    await place.tildone("status");
    const all = pidsIn(noted); // one that was just begun may have noted itself meanwhile
    expect(all.map(processStart), moment).toEqual(all.map(() => undefined));
    rmSync(noted, { force: true });

    const printed = printedIn(out);
    const answers = model.requests.at(-1)!.messages.filter(({ role }) => role === "tool").length;
    const kept = await lastLog(place);
    expect(kept.audit, moment).toMatchObject({ breaks: [], unsealed: 0, sealed: kept.events.length });
    const events = kept.events.map(({ event }) => event);
    expect(
      printed.filter((event) => !events.some((each) => isSame(each, event))),
      moment,
    ).toEqual([]);
    const settled = events.filter(({ type }) => type === "todos.written" || type === "call.settled").length;
    expect(settled, `${moment}: ${answers} answers reached the model`).toBeGreaterThanOrEqual(answers);
    expect((await place.tildone("replay", kept.run)).out).toContain("equals the rebuilt one");
    seen.printed += printed.length;
    seen.answered += answers;
  }
  await Promise.all([calls.close(), stops.close()]);
  expect(seen.left).toBe(seen.expected);
  expect(seen.printed).toBeGreaterThan(KILLS);
  expect(seen.answered).toBeGreaterThan(0);
  expect(readdirSync(join(place.env.TILDONE_HOME, "groups"))).toEqual([]);
});

const pidsIn = (file: string): readonly number[] =>
  existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").map(Number) : [];

async function anyMoment(model: ScriptedModel, before: number, kill: number): Promise<void> {
  await model.received(before + 1 + (Math.floor(kill / MOMENTS.length) % 3));
  await new Promise((done) => setTimeout(done, (kill * 37) % 50));
}

/** Whole lines only: of the last one a part may be missing. */
const printedIn = (out: string): readonly unknown[] =>
  out
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => (JSON.parse(line) as { event?: unknown }).event ?? []);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

async function lastLog(place: Place) {
  const store = await openStore({ path: place.database });
  try {
    const { run } = store.runs.list().reduce((newest, card) => (card.began > newest.began ? card : newest));
    return { run, audit: store.audit(run), events: store.log.read(run, 0).events };
  } finally {
    store.close();
  }
}
