import { expect, test } from "vitest";
import type { WorkerRow } from "../ports.ts";
import { isOffered, isServing, whyUnserved } from "./serving.ts";

const worker = (more: Partial<WorkerRow>): WorkerRow => ({
  ...{ id: "w1", version: "1", labels: ["gpu"], queues: ["runs"], slots: 1, busy: 0, draining: false, silentMs: 0 },
  ...more,
});
const both = { labels: ["gpu", "linux"] };
const repo = "https://x.example/team/a.git";

test.each([
  ["has all labels", true, worker(both)],
  ["lacks one", false, worker({})],
  ["drains", false, worker({ ...both, draining: true })],
  ["is silent", false, worker({ ...both, silentMs: 60_000 })],
  ["serves another queue", false, worker({ ...both, queues: ["slow"] })],
  ["allows the repository", true, worker({ ...both, allow: ["https://x.example/team/*"] })],
  ["allows others", false, worker({ ...both, allow: ["https://x.example/other/*"] })],
])("a worker that %s: serves %s", (_what, serves, row) => {
  const wanted = { queue: "runs", needs: ["gpu", "linux"], repo };
  expect(isServing(row, wanted)).toBe(serves);
  expect(whyUnserved(wanted, [row]) === undefined).toBe(serves);
});

const wanted = { queue: "runs", needs: [], repo };
test.each([
  [
    "a queue that is typed wrong",
    { ...wanted, queue: "rnus" },
    [worker({}), worker({ queues: ["slow"] })],
    'No worker serves the queue "rnus" now (served: runs, slow). Start one: tildone worker --queue rnus',
  ],
  ["no worker", wanted, [], 'No worker serves the queue "runs" now. Start one: tildone worker'],
  [
    "labels that nobody has",
    { ...wanted, needs: ["linux"] },
    [worker({})],
    "No worker offers linux, so it would never start. Labels of the workers: w1: gpu.",
  ],
  [
    "labels, and no worker",
    { ...wanted, needs: ["linux"] },
    [],
    'No worker serves the queue "runs" now. Start one: tildone worker --labels linux',
  ],
  [
    "a repository that nobody allows",
    wanted,
    [worker({ allow: [] })],
    `No worker may take ${repo}. Start one that may: tildone worker --allow '${repo}'`,
  ],
])("%s: what to do", (_what, goal, workers, says) => expect(whyUnserved(goal, workers)).toBe(says));

test("labels are offered also by a worker that takes other repositories", () => {
  expect(isOffered({ ...wanted, needs: ["gpu"] }, [worker({ allow: [] })])).toBe(true);
  expect(isOffered({ ...wanted, needs: ["linux"] }, [worker({})])).toBe(false);
});
