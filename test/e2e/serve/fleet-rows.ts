import { type FleetRuns, runsOfLedger } from "../../../src/cli/fleet/fleet-home.ts";
import { cardOf } from "../../../src/engine/index.ts";
import { memoryLedger } from "../../../src/fleet/index.ts";
import { aSubmission } from "../../fleet/ledgers.ts";
import { aLife, anApproval, asking } from "./runs.ts";

const REPO = "https://git.example/team/payments.git";

/** A fleet without a database: a run that asks, one that works, one that waits for a worker. */
export async function aFleet(): Promise<FleetRuns> {
  const ledger = memoryLedger();
  await ledger.beat({ id: "w1", version: "1", labels: [], queues: ["runs"], slots: 4, busy: 2, draining: false });
  const cwd = "/var/worker/runs/x/work";
  const release = aLife({ run: "fleet-release", goal: "Release 1.9 of the payments service", cwd })
    .writes("Bump the version", "Tag and push")
    .starts(0)
    .works()
    .completes(0)
    .starts(1);
  asking(release, anApproval("call-tag", "git push origin v1.9", { shows: "command", editable: true }));
  const working = aLife({ run: "fleet-works", goal: "Raise the coverage of the refund module to 90 %", cwd })
    .writes("Find what no test covers", "Write the tests")
    .starts(0)
    .works();
  for (const life of [release, working]) {
    const { id, goal = "" } = life.run;
    await ledger.submit(aSubmission(id, { goal, repo: REPO }));
    const answer = await ledger.claim(id, "w1", 600_000);
    if (answer.status !== "claimed") throw new Error(answer.status);
    const rows = life.envelopes.map(({ seq, at, by, v, event }) => ({ seq, at, by, v, event: JSON.stringify(event) }));
    await ledger.append(answer.claimed.lease, { from: 0, rows, card: cardOf(life.run, Date.now()), applied: [] });
  }
  await ledger.submit(aSubmission("fleet-queued", { goal: "Replace the deprecated date library", repo: REPO }));
  return runsOfLedger(ledger, Date.now, { wake: async () => {}, cancel: (run) => ledger.cancel(run, "you") });
}
