import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startScriptedModel } from "../../../src/testing/index.ts";
import { aPlace, linesOf, type Place } from "../agent/tildone.ts";
import { CASES, nameOf } from "./limits.ts";
import { runaway } from "./models.ts";

const LONG = { timeout: 60_000 };
const withModel = (url: string) => ["--base-url", `${url}/v1`, "--model", "scripted", "--approval", "yolo"];

const configure = (place: Place, text: string): void => {
  mkdirSync(dirname(place.database), { recursive: true });
  writeFileSync(join(dirname(place.database), "config.yaml"), text);
};

test.each(CASES.map((each) => [nameOf(each), each] as const))("tildone run ends: %s", LONG, async (_name, given) => {
  await using place = aPlace();
  if (given.config !== undefined) configure(place, given.config);
  const provider = await startScriptedModel(runaway(given.model));
  const flags = Object.entries(given.flags ?? {}).flatMap(([name, value]) => [`--${name}`, value]);
  const { code, out, err } = await place.tildone("run", "two files", "--json", ...flags, ...withModel(provider.url));
  const { result, events } = linesOf(out);
  await provider.close();
  expect({ err, reason: result.reason, exit: code }).toEqual({ err: "", reason: given.reason, exit: result.exit });
  expect(provider.requests.length).toBeLessThanOrEqual(given.requests);
  expect(events.filter(({ type }) => type === "human.interrupted")).toEqual([]);
});
