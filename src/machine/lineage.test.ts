import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { lineageOf, processStart } from "./index.ts";

/** A line that a shell prints, and the shell. */
async function printed(script: string, detached = false) {
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"], detached });
  const [line] = await once(child.stdout, "data");
  return { child, line: String(line).trim() };
}

test("names this process and everything above it, with when it began", () => {
  const lineage = lineageOf();
  expect(lineage[0]).toMatchObject({ pid: process.pid, parent: process.ppid });
  expect(lineage[1]?.pid).toBe(process.ppid);
  for (const { pid, started } of lineage.slice(0, 2)) expect(started).toBe(processStart(pid));
});

test("a process that does not exist has no parents", () => expect(lineageOf(2 ** 30)).toEqual([]));

test.skipIf(process.platform !== "linux")("a process whose parent is gone belongs to its session", async () => {
  const { child, line } = await printed("(sleep 60 & echo $!); exec sleep 60", true);
  const orphan = Number(line);
  try {
    await expect.poll(() => lineageOf(orphan)[0]?.parent).not.toBe(child.pid);
    expect(lineageOf(orphan).map(({ pid }) => pid)).toEqual(expect.arrayContaining([orphan, child.pid, process.pid]));
  } finally {
    process.kill(orphan, "SIGKILL");
    child.kill("SIGKILL");
  }
});
