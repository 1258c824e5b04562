import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../../test/builders/fake-io.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import { createEngine } from "../engine/index.ts";
import { openStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS } from "../testing/index.ts";
import { run } from "./index.ts";

test("why says that the nudge was withdrawn because the session was busy, also when it works again", async () => {
  const home = mkdtempSync(join(tmpdir(), "tildone-why-"));
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const store = await openStore({ path: join(home, "tildone.db") });
  const engine = createEngine({
    store,
    host: createFakeHost(HOST_KINDS.idle, "opencode", async () => ({ status: "busy" })),
    clock,
    cwd: "/project",
    driver: "one",
    newRunId: () => "run1abc",
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
  const why = async () => {
    const ended = AbortSignal.abort();
    const { io, out } = fakeIo({
      env: { TILDONE_HOME: home },
      cwd: "/project",
      home,
      now: clock.now,
      signal: ended,
      signalAgain: ended,
    });
    await run(["why"], io);
    return out.join("\n");
  };
  try {
    await engine.tell("s1", { type: "todos.write", by: "model", write: { mode: "replace", todos: [{ text: "a" }] } });
    await engine.tell("s1", { type: "turn.started", turn: "t1", cause: "human" });
    void engine.settle("s1", { type: "turn.ended", turn: "t1", outcome: "completed" });
    await clock.advance(1_000);
    const waiting = await why();
    expect(waiting).toContain("The nudge was withdrawn because the session was busy.");
    expect(waiting).toContain("The session is busy; trying again soon.");
    await engine.tell("s1", { type: "turn.started", turn: "t2", cause: "human" });
    expect(await why()).toContain("The nudge was withdrawn because the session was busy.");
    expect(`${waiting}\n${await why()}`).not.toMatch(/provider|overload/i);
  } finally {
    engine.dispose();
    store.close();
    rmSync(home, { recursive: true, force: true });
  }
});
