import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/run/index.ts";
import { startScriptedModel } from "../../../src/testing/index.ts";
import { stopsAfterEachItem } from "../pi/models.ts";
import { appended, blindWorker, hardRun, ITEMS, layOutPlan, TROUBLES } from "./hard-run.ts";
import { aPlace, linesOf } from "./tildone.ts";

const LONG = { timeout: 90_000 };

test(
  "thirty todos get done: the model stops after each, and the provider limits, fails, drops and overflows in between",
  LONG,
  async () => {
    await using place = aPlace();
    layOutPlan(place);
    const worker = blindWorker(TROUBLES);
    const provider = await startScriptedModel(worker.script);
    const { code, out, err } = await place.tildone(...hardRun(provider.url));
    await provider.close();
    const { events, result } = linesOf(out);
    expect({ code, err, reason: result.reason, exit: result.exit }).toEqual({
      code: 0,
      err: "",
      reason: "all_done",
      exit: 0,
    });
    expect(appended(place)).toEqual(Array.from({ length: ITEMS }, (_, item) => item));
    expect(worker.troublesLeft()).toBe(0);
    expect(count(events, "compaction.began")).toBe(1);
    expect(count(events, "todo.completed")).toBe(ITEMS);
    expect(count(events, "nudge.delivered")).toBeGreaterThanOrEqual(ITEMS); // it stopped early after every one
  },
);

test("a refusal that says when to come back is not followed by another one before that", LONG, async () => {
  await using place = aPlace();
  layOutPlan(place, { retry: { baseDelayMs: 1, maxRetries: 5 } });
  let opens = Number.POSITIVE_INFINITY;
  let refusals = 0;
  const work = stopsAfterEachItem(1);
  const provider = await startScriptedModel((request) => {
    if (performance.now() >= opens) return work(request);
    if (refusals++ === 0) opens = performance.now() + 900; // clocks of two processes
    return { status: 429, message: "rate limit reached", headers: { "retry-after-ms": "1000" } };
  });
  const args = ["--base-url", `${provider.url}/v1`, "--model", "scripted", "--approval", "auto-edit"];
  const { code, err } = await place.tildone("run", "make a file", ...args);
  await provider.close();
  expect({ code, err, refusals }).toEqual({ code: 0, err: "", refusals: 1 });
});

const count = (events: readonly RunEvent[], type: RunEvent["type"]): number =>
  events.filter((event) => event.type === type).length;
