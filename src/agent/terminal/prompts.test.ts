import { expect, test } from "vitest";
import { createFakeClock } from "../../testing/index.ts";
import { createPrompts } from "./prompts.ts";

function aTerminal() {
  const clock = createFakeClock(10_000);
  const shown: string[] = [];
  let text = "";
  let press: (data: string) => unknown = () => {};
  const ui = {
    getEditorText: () => text,
    onTerminalInput: (handler: (data: string) => undefined) => {
      press = handler;
      return () => {
        press = () => {};
      };
    },
  } as Parameters<typeof createPrompts>[0];
  const prompts = createPrompts(ui, clock);
  return {
    clock,
    prompts,
    shown,
    /** Keys that leave this in the editor. */
    type: (left: string) => {
      text = left;
      press("x");
    },
    /** As pi does it: it tells when a prompt opens and when it closes. */
    prompt: (name: string) => {
      const answer = Promise.withResolvers<string>();
      return {
        answer: answer.resolve,
        show: async () => {
          shown.push(name);
          prompts.opened();
          const said = await answer.promise;
          prompts.closed();
          return said;
        },
      };
    },
  };
}

test("one after the other, and each gets its own answer", async () => {
  const { prompts, prompt, shown, clock } = aTerminal();
  const [a, b] = [prompt("a"), prompt("b")];
  const answers = [prompts.ask(a.show), prompts.ask(b.show)];
  await clock.settle();
  expect(shown).toEqual(["a"]);
  a.answer("yes");
  await clock.settle();
  expect(shown).toEqual(["a", "b"]);
  b.answer("no");
  expect(await Promise.all(answers)).toEqual(["yes", "no"]);
});

test("a prompt of another extension is not covered", async () => {
  const { prompts, prompt, shown, clock } = aTerminal();
  prompts.opened();
  void prompts.ask(prompt("a").show);
  await clock.settle();
  expect(shown).toEqual([]);
  prompts.closed();
  await clock.settle();
  expect(shown).toEqual(["a"]);
});

test("in quiet: not before the editor is empty and the hand has rested", async () => {
  const { prompts, prompt, shown, clock, type } = aTerminal();
  type("half a sen");
  void prompts.askInQuiet(prompt("a").show);
  await clock.advance(60_000);
  expect([prompts.hasDraft(), shown]).toEqual([true, []]);
  type("");
  await clock.advance(699);
  expect([prompts.hasDraft(), shown]).toEqual([false, []]);
  await clock.advance(1);
  expect([prompts.hasDraft(), shown]).toEqual([false, ["a"]]);
});

test("what the user asked for waits neither for quiet nor for what does", async () => {
  const { prompts, prompt, shown, clock, type } = aTerminal();
  type("");
  const [a, b] = [prompt("a"), prompt("b")];
  void prompts.askInQuiet(b.show);
  void prompts.ask(a.show);
  await clock.settle();
  expect(shown).toEqual(["a"]);
  await clock.advance(10_000);
  a.answer("yes");
  await clock.settle();
  expect(shown).toEqual(["a", "b"]);
});

test("one that fails fails for its own asker alone", async () => {
  const { prompts, prompt, shown, clock } = aTerminal();
  const failed = prompts.ask(() => Promise.reject(new Error("gone")));
  void prompts.ask(prompt("b").show);
  await expect(failed).rejects.toThrow("gone");
  await clock.settle();
  expect(shown).toEqual(["b"]);
});

test("after the end no timer is left", async () => {
  const { prompts, clock, type } = aTerminal();
  type("x");
  prompts.dispose();
  expect(clock.pending).toBe(0);
});
