import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allowsRepository } from "../allows-repository.ts";
import { queueName, servedQueues } from "../dbos.ts";
import { createMetrics, serveMetrics } from "./metrics.ts";
import { lockWorker } from "./worker-lock.ts";

test.each([
  ["the address itself", ["https://x.example/a.git"], "https://x.example/a.git", true],
  ["a star", ["https://x.example/team/*"], "https://x.example/team/app.git", true],
  ["another team", ["https://x.example/team/*"], "https://x.example/other/app.git", false],
  ["a name that begins alike", ["https://x.example/team/*"], "https://x.example.evil/team/app.git", false],
  ["a way out of it", ["https://x.example/team/*"], "https://x.example/team/../other/app.git", false],
  ["nothing", [], "https://x.example/a.git", false],
  ["everything", ["*"], "/any/where.git", true],
])("allows %s: %j %s -> %s", (_what, allow, repo, expected) => expect(allowsRepository(allow, repo)).toBe(expected));

test("a worker serves every set of its labels, in one order", () => {
  expect(queueName("runs", ["linux", "gpu"])).toBe("runs:gpu,linux");
  expect(servedQueues(["runs"], ["linux", "gpu"])).toEqual(["runs", "runs:gpu", "runs:linux", "runs:gpu,linux"]);
});

test("one worker of a name in a folder; one that died lets go of it", () => {
  const state = mkdtempSync(join(tmpdir(), "worker-lock-"));
  const first = lockWorker(state, "a");
  expect("release" in first).toBe(true);
  writeFileSync(join(state, "worker-b.lock"), JSON.stringify({ pid: process.ppid, started: "not then" }));
  expect("release" in lockWorker(state, "b")).toBe(true);
  rmSync(state, { recursive: true });
});

test("figures for Prometheus, for this machine alone", async () => {
  const metrics = createMetrics(2);
  metrics.claimed(3);
  metrics.barrier(250);
  metrics.ended("finished");
  const served = await serveMetrics(metrics, 0);
  const answer = await fetch(`http://127.0.0.1:${served.port}/metrics`);
  const text = await answer.text();
  expect(text).toContain("tildone_worker_lost_events_total 3");
  expect(text).toContain("tildone_worker_barrier_seconds_total 0.25");
  expect(text).toContain('tildone_worker_ended_total{how="finished"} 1');
  expect((await fetch(`http://127.0.0.1:${served.port}/`)).status).toBe(404);
  served.close();
});
