import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { countedTokens, type Spent } from "../../../src/core/run/index.ts";
import { startScriptedModel } from "../../../src/testing/index.ts";
import { aPlace, linesOf, type Place } from "../agent/tildone.ts";
import { CASES, nameOf } from "./limits.ts";
import { runaway, spendOf } from "./models.ts";

const LONG = { timeout: 120_000 };
const withModel = (url: string) => ["--base-url", `${url}/v1`, "--model", "scripted", "--approval", "yolo"];

const configure = (place: Place, text: string): void => {
  mkdirSync(dirname(place.database), { recursive: true });
  writeFileSync(join(dirname(place.database), "config.yaml"), text);
};

/** What `tildone status` knows about the only run. */
async function statusOf(place: Place) {
  const { out } = await place.tildone("status", "--json");
  const [run] = JSON.parse(out) as readonly { readonly run: string; readonly spent: Spent; readonly held: boolean }[];
  return run!;
}

describe.concurrent("tildone run stops a model that never settles", LONG, () => {
  test.each(CASES.map((each) => [nameOf(each), each] as const))("%s", async (_name, given) => {
    await using place = aPlace();
    if (given.config !== undefined) configure(place, given.config);
    const provider = await startScriptedModel(runaway(given.model));
    const flags = Object.entries(given.flags ?? {}).flatMap(([name, value]) => [`--${name}`, value]);
    const { code, out, err } = await place.tildone("run", "two files", "--json", ...flags, ...withModel(provider.url));
    const { result, events } = linesOf(out);
    const { spent } = await statusOf(place);
    const why = await place.tildone("why");
    await provider.close();
    expect({ err, reason: result.reason, exit: code }).toEqual({ err: "", reason: given.reason, exit: result.exit });
    expect(provider.requests.length).toBeLessThanOrEqual(given.requests);
    expect(events.filter(({ type }) => type === "human.interrupted")).toEqual([]);
    expect(countedTokens(spent)).toBeGreaterThanOrEqual(spendOf(given.model, provider.requests.length));
    expect(why.out.replace(/\s+/g, " ")).toMatch(given.says);
  });
});

describe.concurrent("tildone run stops a model that never settles and never writes a list", LONG, () => {
  test.each([
    ["the same call", [], 10, "no_progress"],
    ["new reads", ["--max-tokens", "10000"], 12, "budget_tokens"],
    ["silence", ["--max-minutes", "0.05"], 2, "budget_minutes"],
  ] as const)("%s", async (name, flags, requests, reason) => {
    await using place = aPlace();
    const provider = await startScriptedModel((request, count) => runaway(name)(request, count + 1));
    const { out } = await place.tildone("run", "two files", "--json", ...flags, ...withModel(provider.url));
    await provider.close();
    expect(linesOf(out).result.reason).toBe(reason);
    expect(provider.requests.length).toBeLessThanOrEqual(requests);
  });
});

test("a hold ends the turn: no further request, and it is no interrupt", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel((request, count) => ({
    ...runaway("new reads")(request, count),
    after: new Promise((next) => setTimeout(next, 20)),
  }));
  const running = place.start("run", "two files", "--json", ...withModel(provider.url));
  await provider.received(10);
  const held = await place.tildone("hold");
  const before = provider.requests.length;
  const { code, out } = await running.ended;
  await provider.close();
  const { result, events } = linesOf(out);
  expect([held.code, code, result.reason]).toEqual([0, 5, "held"]);
  expect(provider.requests.length - before).toBeLessThanOrEqual(1);
  expect(events.filter(({ type }) => type === "human.interrupted")).toEqual([]);
});

test("what was spent is known after kill -9", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel(runaway("new reads"));
  const running = place.start("run", "two files", "--json", "--max-tokens", "1000000", ...withModel(provider.url));
  await provider.received(22);
  running.child.kill("SIGKILL");
  await running.ended;
  const { spent, run } = await statusOf(place);
  const { out } = await place.tildone("report", run);
  await provider.close();
  expect(countedTokens(spent)).toBeGreaterThanOrEqual(20_000);
  expect(out).not.toMatch(/tokens \| 0 /);
});
