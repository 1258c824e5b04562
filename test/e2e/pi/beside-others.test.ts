import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../src/testing/index.ts";
import { calls, openInProcess, says, until } from "./in-process.ts";
import { workOn, writeList } from "./models.ts";

/** Another extension that sends the session on by itself, so many times. */
const drives =
  (times: number): ExtensionFactory =>
  (pi) => {
    let left = times;
    pi.on("agent_before_settle", ({ entries }) =>
      left-- > 0
        ? {
            continue: true,
            entries: [
              ...entries,
              { type: "custom_message", customType: "other", content: "go on, I say", display: true },
            ],
          }
        : undefined,
    );
  };

const vetoes: ExtensionFactory = (pi) => {
  pi.on("agent_before_settle", () => ({ continue: false }));
};

test("another extension that drives the session has the word, visibly, until it stops", async () => {
  await using pi = await openInProcess({ before: [drives(2)] });
  pi.faux.setResponses([
    calls(writeList(1)),
    says("first"),
    says("second"),
    says("third"),
    calls(...workOn(0)),
    says("Done."),
  ]);
  await pi.session.prompt("go");
  expect(pi.nudges().length).toBe(1);
  expect(pi.notices()).toEqual([
    "Another extension continues this session; tildone waits until it stops.",
    "Finished, but not all of it is proven by a check. [1/1 done · 0 proven]",
  ]);
  const order = pi.session.messages.flatMap((message) => (message.role === "custom" ? [message.customType] : []));
  expect([order, pi.faux.state.callCount, pi.errors]).toEqual([["other", "other", "til-done-continue"], 6, []]);
});

test("another extension that ends the run at our boundary is not fought: it counts as an interrupt and is shown", async () => {
  await using pi = await openInProcess({ after: [vetoes] });
  pi.faux.setResponses([calls(writeList(1)), says("stop"), says("never")]);
  await pi.session.prompt("go");
  expect([pi.faux.state.callCount, pi.errors]).toEqual([2, []]);
  expect(pi.notices()).toEqual([
    "A continuation did not begin: an abort or another extension ended the run first.",
    expect.stringContaining("Send a message or /unhold to continue."),
  ]);
});

test("a message that another extension sends is not the user's word: an interrupt stands", async () => {
  let send = (_text: string): void => {};
  const speaks: ExtensionFactory = (pi) => {
    send = (text) => pi.sendUserMessage(text);
  };
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "tui", clock, before: [speaks] });
  pi.faux.setResponses([calls(writeList(1)), says("stop")]);
  const prompt = pi.session.prompt("go");
  await until(() => pi.terminal.countdown() !== undefined, "the countdown");
  pi.terminal.press("x");
  await prompt;
  pi.faux.setResponses([calls(["write", { path: "a.txt", content: "a" }]), says("stop")]);
  const before = pi.events.length;
  send("a report for you");
  await until(() => pi.events.slice(before).includes("agent_settled"), "the answer");
  await clock.advance(60_000);
  expect([pi.faux.state.callCount, pi.nudges(), pi.terminal.statuses.get("til-done")]).toEqual([
    4,
    [],
    "📋 0/1 done · interrupted",
  ]);
});

test("entries of others at the boundary stay, and their tools and messages are left alone", async () => {
  const other: ExtensionFactory = (pi) => {
    pi.registerTool({
      name: "other_tool",
      label: "Other",
      description: "Of another extension",
      parameters: { type: "object", properties: {} } as never,
      execute: async () => {
        throw new Error("other failure");
      },
    });
    pi.on("agent_before_settle", ({ entries }) => ({
      entries: [...entries, { type: "custom", customType: "other-entry", data: 1 }],
    }));
  };
  await using pi = await openInProcess({ before: [other] });
  pi.faux.setResponses([calls(writeList(1), ["other_tool", {}]), says("stop"), calls(...workOn(0)), says("Done.")]);
  await pi.session.prompt("go");
  const entries = pi.session.sessionManager.getEntries();
  expect(entries.filter((entry) => entry.type === "custom" && entry.customType === "other-entry").length).toBe(2);
  const theirs = pi.session.messages.find(
    (message) => message.role === "toolResult" && message.toolName === "other_tool",
  );
  expect(theirs).toMatchObject({ isError: true, content: [{ type: "text", text: "other failure" }] });
  expect(theirs).not.toHaveProperty("details.todos");
  expect(pi.nudges().length).toBe(1);
});

test("an error of ours at the boundary lets pi settle and surfaces", async () => {
  await using pi = await openInProcess();
  pi.faux.setResponses([calls(writeList(1)), says("stop"), says("never")]);
  const transact = pi.store.log.transact;
  let broken = false;
  Object.assign(pi.store.log, {
    transact: (...args: Parameters<typeof transact>) => {
      if (broken) throw new Error("the disk is full");
      return transact(...args);
    },
  });
  pi.session.subscribe(({ type }) => {
    broken ||= type === "agent_end";
  });
  await pi.session.prompt("go");
  expect([pi.faux.state.callCount, pi.errors]).toEqual([2, ["agent_before_settle: the disk is full"]]);
});
