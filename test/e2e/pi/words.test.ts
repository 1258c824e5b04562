import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import type { Trigger } from "../../../src/core/react/index.ts";
import { speak } from "../../../src/engine/index.ts";
import { createFakeClock } from "../../../src/testing/index.ts";
import { calls, type InProcess, openInProcess, says, until } from "./in-process.ts";
import { workOn, writeList } from "./models.ts";

/** The user speaks to the run from another process, as `tildone say` and `tildone hold` do. */
const fromElsewhere = (pi: InProcess, trigger: Trigger) => speak(pi.store.log, pi.run()!.run, trigger, 1);
const queue = (id: string, text: string): Trigger => ({ type: "words.queue", words: { id, text, kind: "steer" } });
const heard = (pi: InProcess): readonly string[] =>
  pi.session.messages.flatMap((message) => {
    if (message.role === "custom") return [`${message.customType}: ${String(message.content).split("\n")[0]}`];
    return message.role === "user" ? ["user"] : [];
  });

test("words from another process reach the agent at the boundary, instead of a nudge, and once", async () => {
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "print", clock });
  pi.faux.setResponses([
    calls(writeList(1)),
    () => {
      fromElsewhere(pi, queue("w1", "from elsewhere: use the other file"));
      fromElsewhere(pi, queue("w2", "from elsewhere: and be quick"));
      return says("stop") as never;
    },
    calls(...workOn(0)),
    says("Done."),
  ]);
  await pi.session.prompt("go");
  expect(heard(pi)).toEqual([
    "user",
    "til-done-words: from elsewhere: use the other file",
    "til-done-words: from elsewhere: and be quick",
  ]);
  expect([pi.nudges(), pi.faux.state.callCount, pi.errors]).toEqual([[], 4, []]);
});

test("words from another process wake a stopped run that lives in a terminal", async () => {
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "rpc", clock });
  pi.faux.setResponses([calls(writeList(1)), ...Array.from({ length: 4 }, () => says("no"))]);
  await pi.session.prompt("go");
  expect(pi.terminal.statuses.get("til-done")).toBe("📋 0/1 done · no progress");
  pi.faux.setResponses([calls(...workOn(0)), says("Done.")]);
  fromElsewhere(pi, queue("w1", "from elsewhere: look into the log"));
  await clock.advance(250);
  await until(() => pi.terminal.statuses.get("til-done")?.startsWith("☑") === true, "the end");
  expect(heard(pi).at(-1)).toBe("til-done-words: from elsewhere: look into the log");
  expect([pi.nudges().length, pi.errors]).toEqual([3, []]);
});

test("a hold with 'now' from another process ends the turn", async () => {
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "rpc", clock });
  pi.faux.setResponses([
    calls(writeList(1)),
    async () => {
      fromElsewhere(pi, { type: "human.hold", now: true });
      await clock.advance(250);
      return says("never heard") as never;
    },
    says("never"),
  ]);
  await pi.session.prompt("go");
  await clock.advance(60_000);
  expect([pi.faux.state.callCount, pi.nudges(), pi.terminal.statuses.get("til-done")]).toEqual([
    2,
    [],
    "📋 0/1 done · ✋ held",
  ]);
});

test("while a prompt of another extension is open nothing is told to continue; two of them are two", async () => {
  const clock = createFakeClock(1_000_000);
  const answers: (() => void)[] = [];
  const asks: ExtensionFactory = (api) => {
    api.on("agent_end", (_event, ctx) => {
      for (const title of ["which one?", "and where?"]) void ctx.ui.select(title, ["a", "b"]);
    });
  };
  await using pi = await openInProcess({ mode: "rpc", clock, before: [asks] });
  Object.assign(pi.terminal.ui, { select: () => new Promise<void>((done) => answers.push(() => done())) });
  pi.faux.setResponses([calls(writeList(1)), says("I asked."), calls(...workOn(0)), says("Done.")]);
  await pi.session.prompt("go");
  expect([pi.nudges(), pi.terminal.statuses.get("til-done")]).toEqual([[], "📋 0/1 done · waits: your answer"]);
  answers[0]!();
  await clock.advance(60_000);
  expect(pi.nudges()).toEqual([]);
  answers[1]!();
  await until(() => pi.nudges().length === 1, "the nudge");
  for (const answer of answers) answer();
});

test("a compaction in the middle keeps the list, and the run continues", async () => {
  await using pi = await openInProcess({ mode: "rpc" });
  pi.faux.setResponses([
    calls(writeList(2)),
    calls(...workOn(0)),
    calls(["edit_todos", { action: "block", indices: [1], reason: "key" }]),
    says("I need a key."),
  ]);
  await pi.session.prompt("go");
  pi.faux.setResponses([says("A summary of what happened.")]);
  await pi.session.compact();
  await pi.session.prompt("/todos");
  expect(pi.terminal.said.at(-1)).toBe("◇ [0] item 0\n⏸ [1] item 1");
  pi.faux.setResponses([calls(["list_todos", {}]), says("stop"), calls(...workOn(1)), says("Done.")]);
  await pi.session.prompt("here is the key");
  expect([pi.nudges().length, pi.terminal.statuses.get("til-done")]).toEqual([1, "☑ Finished, not proven (2 todos)"]);
  expect(pi.errors).toEqual([]);
});
