/** A budget that cannot be measured is refused, or kept by an estimate that is said. */
import { expect, test } from "vitest";
import { startScriptedModel } from "../../../src/testing/index.ts";
import { aPlace, linesOf } from "../agent/tildone.ts";
import { openSandbox } from "../pi/sandbox.ts";
import { runaway } from "./models.ts";

const LONG = { timeout: 90_000 };

test("tildone run refuses a cost budget for a model without a price", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel(runaway("new reads"));
  const where = ["--base-url", `${provider.url}/v1`, "--model", "scripted"];
  const { code, err } = await place.tildone("run", "two files", "--max-cost", "1", ...where);
  await provider.close();
  expect(err).toMatch(/the cost of endpoint\/scripted is not known, so a cost budget cannot be enforced/);
  expect([code, provider.requests.length]).toEqual([2, 0]);
});

test("pi says that a cost budget cannot be kept, before anything happens", LONG, async () => {
  await using box = await openSandbox({ script: [{ text: "Hello." }] });
  const { err } = await box.run("--til-done-max-cost", "1", "-p", "do it");
  expect(err).toMatch(/tildone is off: the cost of scripted\/m is not known/);
});

test("tokens that the server does not report are estimated, and that is said", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel((request, count) => ({
    ...runaway("new reads")(request, count),
    usageless: true,
  }));
  const where = ["--base-url", `${provider.url}/v1`, "--model", "scripted", "--approval", "yolo"];
  const { out } = await place.tildone("run", "two files", "--json", "--max-tokens", "20000", ...where);
  await provider.close();
  const { result, events } = linesOf(out);
  expect(result.reason).toBe("budget_tokens");
  expect(events.filter((event) => event.type === "answer.seen").every(({ estimated }) => estimated === true)).toBe(
    true,
  );
  expect(out).toContain("does not report how many tokens it used");
});
