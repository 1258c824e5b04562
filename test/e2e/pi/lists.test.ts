import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { nudges, stopsAfterEachItem } from "./models.ts";
import { count, isType, openRpc, type RpcEvent } from "./rpc.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

const SIZES = [3, 20, 100];
/** The list, then two requests for every item: the calls and the words after them. */
const requestsFor = (items: number): number => 2 + 2 * items;

test.each(SIZES)("print: a model that stops after every todo finishes a list of %i", async (items) => {
  await using box = await openSandbox({ script: stopsAfterEachItem(items) });
  const { code, out, err } = await box.run("-p", "do it");
  expect([code, out]).toEqual([0, "That is done, I stop here.\n"]);
  expect(err).toBe(`tildone: Finished, but not all of it is proven by a check. [${items}/${items} done · 0 proven]\n`);
  expectOneRequestEach(box, items);
});

test.each(SIZES)("json: a list of %i, and the run settles once", async (items) => {
  await using box = await openSandbox({ script: stopsAfterEachItem(items) });
  const { code, out } = await box.run("--mode", "json", "do it");
  const events = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as RpcEvent]));
  expect([code, count(events, "agent_settled")]).toEqual([0, 1]);
  expectOneRequestEach(box, items);
});

test.each(SIZES)("rpc: a list of %i, and the run settles once", async (items) => {
  await using box = await openSandbox({ script: stopsAfterEachItem(items) });
  const rpc = openRpc(box);
  rpc.send({ type: "prompt", message: "do it" });
  await rpc.next(isType("agent_settled"));
  expectOneRequestEach(box, items);
  expect(statuses(rpc.events).at(-1)).toBe(`☑ Finished, not proven (${items} todos)`);
  expect(await rpc.close()).toBe(0);
  expect([count(rpc.events, "agent_settled"), count(rpc.events, "extension_error")]).toEqual([1, 0]);
});

function expectOneRequestEach(box: Sandbox, items: number): void {
  const sent = nudges(box.model.requests);
  expect([sent.length, new Set(sent).size, box.model.requests.length]).toEqual([items, items, requestsFor(items)]);
  expect(readdirSync(box.cwd).length).toBe(items);
}

const statuses = (events: readonly RpcEvent[]): readonly unknown[] =>
  events.flatMap(({ method, statusKey, statusText }) =>
    method === "setStatus" && statusKey === "til-done" ? [statusText] : [],
  );
