import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../tools/bundle.ts";

const folder = mkdtempSync(join(tmpdir(), "tildone-queue-"));
beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  await bundle({ agent: resolve(import.meta.dirname, "agent.ts") }, folder, { alone: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let worlds = 0;
/** Lives one after the other on one log, each but the last killed at the named place; gives what the agent has seen. */
async function live(
  ...deaths: readonly string[]
): Promise<{ readonly ends: readonly string[]; seen: readonly string[] }> {
  const [database, transcript] = [join(folder, `${++worlds}.db`), join(folder, `${worlds}.txt`)];
  const ends: string[] = [];
  for (const death of [...deaths, "nowhere"]) ends.push(await lifeOf(database, transcript, death));
  return { ends, seen: readFileSync(transcript, "utf8").trim().split("\n") };
}

function lifeOf(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(folder, "agent.js"), ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  return new Promise((done) => child.on("close", (code, signal) => done(errors || (signal ?? `exit ${code}`))));
}

/** Steering in the order it was queued; what was to follow comes when the work is done. */
const ONCE_IN_ORDER = ["w1", "w3", "w4", "w2"];

test.each([
  ["no process dies", []],
  ["before delivery, still in the turn", ["queued"]],
  ["before delivery", ["before delivery"]],
  ["in the middle of delivery", ["in the middle of delivery"]],
  ["delivered, not acknowledged", ["delivered, not acknowledged"]],
  ["after delivery", ["acknowledged"]],
  ["in the last turn", ["in the last turn"]],
  ["again and again", ["queued", "before delivery", "in the middle of delivery", "delivered, not acknowledged"]],
])("kill -9 %s: the agent sees every message once, in order", { timeout: 120_000 }, async (_where, deaths) => {
  const { ends, seen } = await live(...deaths);
  expect(ends).toEqual([...deaths.map(() => "SIGKILL"), "exit 0"]);
  expect(seen).toEqual(ONCE_IN_ORDER);
});
