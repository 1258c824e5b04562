import { expect, test } from "vitest";
import type { Envelope } from "../../../src/core/run/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { startScriptedModel } from "../../../src/testing/index.ts";
import { createRandom, type Random } from "../../sim/random.ts";
import { appended, blindWorker, hardRun, ITEMS, layOutPlan, resumed, TROUBLES } from "./hard-run.ts";
import { aPlace, linesOf, type Place } from "./tildone.ts";

/** TILDONE_KILLS=50 for the long form; TILDONE_SEED to see the same moments again. */
const KILLS = Number(process.env.TILDONE_KILLS ?? 10);
const SEED = Number(process.env.TILDONE_SEED ?? 1);
const KILLS_PER_RUN = 10;

const worlds = Array.from({ length: Math.ceil(KILLS / KILLS_PER_RUN) }, (_, world) => ({
  seed: SEED + world,
  kills: Math.min(KILLS_PER_RUN, KILLS - world * KILLS_PER_RUN),
}));

test.each(worlds)(
  "kill -9 at $kills random moments (seed $seed): the same list, nothing done twice, nothing repeated in silence",
  { timeout: 240_000 },
  async ({ seed, kills }) => {
    await using place = aPlace();
    layOutPlan(place);
    const random = createRandom(seed);
    const provider = await startScriptedModel(blindWorker(TROUBLES).script);
    const deaths: string[] = [];
    while (deaths.length < kills) {
      const args = (await hasRun(place)) ? resumed(provider.url) : hardRun(provider.url);
      const death = await dieAt(place, args, random);
      if (death === undefined) break;
      deaths.push(death);
    }
    const { code, out, err } = await place.tildone(
      ...((await hasRun(place)) ? resumed(provider.url) : hardRun(provider.url)),
    );
    await provider.close();
    const story = `seed ${seed}, killed ${deaths.join(", ")}\n${err}`;
    expect(deaths.length, story).toBe(kills);
    const { result } = linesOf(out);
    expect({ code, reason: result.reason }, story + out.slice(-3000)).toEqual({ code: 0, reason: "all_done" });
    expect(
      result.todos.map(({ text, status }) => `${text} ${status}`),
      story,
    ).toEqual(Array.from({ length: ITEMS }, (_, item) => `append ${item} completed`));
    const log = await logOf(place);
    const completed = log.flatMap(({ event }) => (event.type === "todo.completed" ? event.ids : []));
    expect(completed.toSorted(), story).toEqual(result.todos.map(({ id }) => id).toSorted());
    const twice = appended(place).filter((item, at, all) => all.indexOf(item) !== at);
    const cut = log.flatMap(({ event }) => (event.type === "call.cut" ? [`${event.what} ${event.effect}`] : []));
    expect(
      twice.filter((item) => !cut.some((said) => said.startsWith(`echo ${item} >>`))),
      story,
    ).toEqual([]);
  },
);

/** Kills the process after so many lines of its output, or so soon after its start, and a moment more. */
async function dieAt(place: Place, args: readonly string[], random: Random): Promise<string | undefined> {
  const life = place.start(...args);
  const moment = random.chance(0.2) ? undefined : 1 + random.below(32);
  const more = moment === undefined ? random.below(1500) : random.below(12);
  let seen = 0;
  const reached = new Promise<void>((done) => {
    if (moment === undefined) return done();
    life.child.stdout.on("data", (text: string) => {
      seen += text.split("\n").length - 1;
      if (seen >= moment) done();
    });
  });
  await Promise.race([reached, life.ended]);
  await Promise.race([new Promise((done) => setTimeout(done, more)), life.ended]);
  life.child.kill("SIGKILL");
  const { code } = await life.ended;
  if (code !== null) return undefined;
  return moment === undefined ? `${more} ms after its start` : `${more} ms after line ${moment}`;
}

async function hasRun(place: Place): Promise<boolean> {
  const store = await openStore({ path: place.database });
  const found = store.runs.list().length > 0;
  store.close();
  return found;
}

async function logOf(place: Place): Promise<readonly Envelope[]> {
  const store = await openStore({ path: place.database });
  const [card] = store.runs.list();
  const { events } = store.log.read(card!.run, 0);
  store.close();
  return events;
}
