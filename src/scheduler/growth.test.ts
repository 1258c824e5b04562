import { expect, test } from "vitest";
import { aReader, aScheduler, aWriter, request } from "../../test/builders/scheduler.ts";
import { countSteps, growth } from "../../test/builders/steps.ts";

const steps = await countSteps(/\/src\/(scheduler|core\/call)\//);

test.each([
  ["calls that are free", "read", "ask"],
  ["calls that write, each its own file", "write", "yolo"],
  ["calls that ask", "write", "ask"],
] as const)("the cost of a batch grows with its calls, not with their square: %s", async (_what, tool, mode) => {
  const work = async (n: number) => {
    const { scheduler } = aScheduler({ tools: [aReader(), aWriter()], mode, isUnobserved: true });
    scheduler.observe((update) => {
      if (update.type === "call.entered" && update.call.status === "awaiting_approval")
        scheduler.approve(update.call.request.id);
    });
    const requests = Array.from({ length: n }, (_, i) => request(`c${i}`, tool, { args: { path: `f${i}` } }));
    const results = await scheduler.schedule(requests);
    expect(results.every(({ status }) => status === "success")).toBe(true);
  };
  expect(await growth(steps, work, [100, 1_600])).toBeLessThan(1.15);
});
