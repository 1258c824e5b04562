import { join } from "node:path";
import { expect } from "vitest";
import { openRun } from "../../src/engine/index.ts";
import { openStore } from "../../src/store/index.ts";
import { ABORT, type Case, COUNTDOWN, GAP, NEVER, OVERLOAD, sends } from "./case.ts";
import { openFakeOpenCode } from "./fake-opencode.ts";

/** What is known to have gone wrong elsewhere -> what happens here. */
export const DEFECTS: Readonly<Record<string, Case>> = {
  "a turn that ends inside the gap is dropped and the run stalls -> it is delayed": async () => {
    const fake = await openFakeOpenCode({ env: { TILDONE_COUNTDOWN: "0s" } });
    try {
      await fake.begin("pending", "pending", "pending");
      await sends(fake, 1, 0);
      for (const [at, items] of [
        ["completed", "pending", "pending"],
        ["completed", "completed", "pending"],
        ["completed", "completed", "completed"],
      ].entries()) {
        await fake.turn(() => fake.list(...items)); // takes no time at all
        await sends(fake, at + 1, GAP - 1);
        await sends(fake, Math.min(3, at + 2), 1);
      }
      expect(fake.said).toContain("[3/3 done");
    } finally {
      await fake.close();
    }
  },
  "a finished list is forgotten at once, and only a mock keeps it -> it is the end, in the real store": async () => {
    const { folder, close } = await openFakeOpenCode();
    const store = await openStore({ path: join(folder, "tildone.db") });
    const fake = await openFakeOpenCode({ store });
    try {
      await fake.begin("pending");
      await sends(fake, 1);
      await fake.turn(async () => {
        await fake.call("bash", { command: "make" });
        await fake.list("completed");
      });
      await fake.status("idle");
      await sends(fake, 1, NEVER);
      expect(store.runs.list().map(({ run }) => openRun(store.log, run).run.status)).toEqual(["ended"]);
      await fake.begin("pending"); // the next list is another run
      await sends(fake, 2);
      expect(store.runs.list()).toHaveLength(2);
    } finally {
      await fake.close();
      store.close();
      await close();
    }
  },
  "turns that fail count for nothing -> they are counted, tried again with growing pauses, and end": async (fake) => {
    await fake.begin("pending");
    await sends(fake, 1);
    const pauses: number[] = [];
    for (let tries = 1; tries < 20; tries++) {
      const before = fake.clock.now();
      await fake.prompted(fake.prompts.at(-1)!.body.parts);
      await fake.troubled("APIError", OVERLOAD);
      while (fake.prompts.length === tries && fake.clock.now() - before < NEVER) await fake.wait(1_000);
      if (fake.prompts.length === tries) break;
      pauses.push(fake.clock.now() - before);
    }
    expect(pauses).toHaveLength(8);
    expect(pauses.every((pause, at) => at === 0 || pause >= pauses[at - 1]!)).toBe(true);
    expect(fake.toasts.at(-1)!.message).toContain("/unhold tries again.");
  },
  "an overflow switches it off until the human speaks -> OpenCode compacts and it goes on": async (fake) => {
    await fake.human("go");
    await fake.list("pending");
    await fake.error("ContextOverflowError");
    await fake.event("session.compacted", { sessionID: "root" });
    await fake.status("idle");
    await sends(fake, 1);
  },
  "the update that follows an abort takes the abort back -> an abort stays": async (fake) => {
    await fake.human("go");
    await fake.list("pending");
    await fake.troubled(ABORT);
    await fake.event("message.updated", { sessionID: "root", info: { id: "late", role: "assistant", agent: "build" } });
    await sends(fake, 0, NEVER);
  },
  "what is blocked is not counted but listed -> one list for both": async (fake) => {
    await fake.begin("completed", "blocked", "cancelled", "pending");
    await sends(fake, 1);
    const { text } = fake.prompts[0]!.body.parts[0]!;
    expect(text).toContain("2/4 done, 2 remaining");
    expect(text.match(/item \d/g)).toEqual(["item 1", "item 3"]);
  },
  "cancelling the countdown forgets what is on its way -> one prompt per boundary": async (fake) => {
    await fake.begin("pending");
    fake.prompting = "hangs";
    await sends(fake, 1);
    await fake.event("message.updated", { sessionID: "root", info: { id: "a", role: "assistant" } });
    await fake.event("todo.updated", { sessionID: "root", todos: [] });
    await sends(fake, 1, NEVER);
  },
  "another loop prompts without any limit -> phases have the limits of the list": async (fake) => {
    expect(await fake.command("workflow", "feature make it")).toContain("make it");
    await fake.human("go");
    for (let turn = 0; turn < 10; turn++) {
      await fake.status("idle");
      await fake.wait(COUNTDOWN);
      if (fake.prompts.length <= turn) break;
      await fake.prompted(fake.prompts.at(-1)!.body.parts);
    }
    expect(fake.prompts.length).toBe(3);
  },
  "waiting for work in the background ends in nothing -> it is taken up when the work ends": async (fake) => {
    await fake.human("go");
    await fake.list("pending");
    await fake.status("busy", "child-1");
    await fake.status("idle");
    await sends(fake, 0, 600_000);
    await fake.status("idle", "child-1");
    await sends(fake, 1);
  },
};
