import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryStore } from "../store/index.ts";
import { withBarrier } from "./barrier-client.ts";
import { firstRunId } from "./first-run-id.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "barrier-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Answers each question with what is given, and closes where that is undefined. */
async function barrierThat(answer: (run: string) => string | undefined) {
  const path = join(folder, "b.sock");
  const server = createServer((socket) =>
    socket.on("data", (text) => {
      const says = answer(text.toString().trim());
      if (says === undefined) socket.destroy();
      else socket.write(`${says}\n`);
    }),
  );
  await new Promise<void>((done) => server.listen(path, done));
  return { path, [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())) };
}

test("a store without the variable is the very same", () => {
  const store = memoryStore();
  expect(withBarrier(store, undefined)).toBe(store);
  expect(withBarrier(store, "")).toBe(store);
});

test("asks about the run, and waits for the answer", async () => {
  const asked: string[] = [];
  await using barrier = await barrierThat((run) => {
    asked.push(run);
    return "ok";
  });
  await withBarrier(memoryStore(), barrier.path).log.barrier!("r1");
  expect(asked).toEqual(["r1"]);
});

test("rejects with the reason where it is refused", async () => {
  await using barrier = await barrierThat(() => "refused another worker has this run by now");
  await expect(withBarrier(memoryStore(), barrier.path).log.barrier!("r1")).rejects.toThrow(
    "another worker has this run by now",
  );
});

test("rejects where the other process is gone, before or in the middle", async () => {
  await using barrier = await barrierThat(() => undefined);
  await expect(withBarrier(memoryStore(), barrier.path).log.barrier!("r1")).rejects.toThrow(/could not be made safe/);
  await expect(withBarrier(memoryStore(), join(folder, "none")).log.barrier!("r1")).rejects.toThrow(/ENOENT/);
});

test("names the first run, and no second one", () => {
  const store = memoryStore();
  const id = firstRunId(store, "named");
  expect(id()).toBe("named");
  const event = { at: 1, by: "engine", v: 1, event: { type: "run.began" } };
  store.log.transact("named", 0, () => ({ append: [event as never], value: undefined }));
  expect(id()).not.toBe("named");
  expect(firstRunId(store, undefined)()).toMatch(/^[a-z2-9]{8}$/);
});
