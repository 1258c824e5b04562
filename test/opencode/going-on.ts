import { expect } from "vitest";
import { ABORT, type Case, COUNTDOWN, NEVER, OVERLOAD, sends, WHILE_BUSY } from "./case.ts";
import { DEFECTS } from "./defects.ts";

/** Whether something is sent, when, how often, and what the user's stop does. */
export const GOING_ON: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  "what is sent on": {
    "open items after an idle": async (fake) => {
      await fake.begin("completed", "in_progress", "pending");
      await sends(fake, 1);
    },
    "nothing where everything is closed": async (fake) => {
      await fake.begin("completed", "cancelled");
      await sends(fake, 0, NEVER);
    },
    "nothing where the rest is blocked": async (fake) => {
      await fake.begin("completed", "blocked");
      await sends(fake, 0, NEVER);
      expect(fake.said).toContain("blocked in the host's own list");
    },
    "an emptied list ends the run once, and the next list begins with fresh counters": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1);
      await fake.turn();
      await sends(fake, 2);
      await fake.turn(() => fake.list());
      await sends(fake, 2, NEVER);
      await fake.begin(["pending", "another thing"]);
      for (let more = 1; more <= 3; more++) {
        await sends(fake, 2 + more);
        await fake.turn();
      }
      await sends(fake, 5, NEVER);
    },
    "a session that only the message names": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      const info = { id: "a", role: "assistant", sessionID: "root", agent: "build", providerID: "q", modelID: "n" };
      await fake.event("message.updated", { info });
      await fake.status("idle");
      await sends(fake, 1);
      expect(fake.prompts[0]!.body.model).toEqual({ providerID: "q", modelID: "n" });
    },
    "root sessions only": async (fake) => {
      await fake.human("go", { sessionID: "child-1" });
      await fake.hooks["tool.execute.after"](
        { tool: "todowrite", sessionID: "child-1", args: { todos: [{ content: "a", status: "pending" }] } },
        { output: "" },
      );
      await fake.status("idle", "child-1");
      await sends(fake, 0, NEVER);
    },
    "also where the last message is the human's": async (fake) => {
      await fake.begin("pending");
      await fake.wait(500);
      await fake.human("a word"); // and no answer
      await fake.status("idle");
      await sends(fake, 1);
    },
    "a turn without a word counts as one that brought nothing": async (fake) => {
      await fake.begin("pending");
      for (let turn = 1; turn <= 3; turn++) {
        await sends(fake, turn);
        await fake.turn();
      }
      await sends(fake, 3, NEVER);
      expect(fake.said).toContain("made no progress");
    },
    "nothing while something cannot be read, and it is tried again later": async (fake) => {
      await fake.begin("pending");
      fake.reading = "fails";
      await sends(fake, 0);
      fake.reading = "answers";
      await sends(fake, 1, 60_000);
    },
    "no message is ever read": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1);
      expect(fake.asked.filter((name) => name.includes("message"))).toEqual([]);
    },
  },
  "the countdown": {
    "is shown every second": async (fake) => {
      await fake.begin("pending");
      await fake.wait(COUNTDOWN);
      expect(fake.toasts.map(({ message }) => message)).toEqual([
        "Continuing in 2 s: 1 open",
        "Continuing in 1 s: 1 open",
      ]);
    },
    "words end it however soon they come, our own prompt does not": async (fake) => {
      await fake.begin("pending");
      await fake.wait(1);
      await fake.human("wait");
      await sends(fake, 0, WHILE_BUSY);
      await fake.status("idle");
      await sends(fake, 1);
    },
    "work of the agent ends it": async (fake) => {
      await fake.begin("pending");
      await fake.wait(1_000);
      await fake.status("busy");
      await sends(fake, 0, NEVER);
    },
    "a call ends it": async (fake) => {
      await fake.begin("pending");
      await fake.wait(1_000);
      await fake.status("busy");
      await fake.call("bash", { command: "ls" });
      await sends(fake, 0, NEVER);
    },
    "the end of the plugin ends all of them": async (fake) => {
      await fake.begin("pending");
      await fake.hooks.dispose();
      await sends(fake, 0, NEVER);
      expect(fake.clock.pending).toBe(0);
    },
    "the list is read again when it ends": async (fake) => {
      await fake.begin("pending");
      fake.todos = [{ content: "item 0", status: "completed", priority: "medium" }];
      await sends(fake, 0, NEVER);
    },
    "an error of the provider during it ends nothing": async (fake) => {
      await fake.begin("pending");
      await fake.error("APIError", OVERLOAD);
      await sends(fake, 1);
      await fake.turn(); // and is not held against the next turn
      await sends(fake, 2);
    },
    "the next one is no longer than the first": async (fake) => {
      await fake.begin("pending", "pending");
      await sends(fake, 1);
      await fake.wait(10_000);
      await fake.turn(() => fake.list("completed", "pending"));
      await sends(fake, 2);
    },
  },
  "stop and abort": {
    "both names of an abort": async (fake) => {
      for (const name of [ABORT, "AbortError"]) {
        await fake.human("go");
        await fake.list(["pending", name]);
        await fake.call("bash", { command: `echo ${name}` }); // the user spoke and the work was taken up
        await fake.troubled(name);
        await sends(fake, 0, NEVER);
      }
    },
    "an abort whose event was missed, by the stored error": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      const info = { id: "a", role: "assistant", parentID: "m1", error: { name: ABORT } };
      await fake.event("message.updated", { sessionID: "root", info });
      await fake.status("idle");
      await sends(fake, 0, NEVER);
    },
    "an abort of an hour ago": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.troubled(ABORT);
      await sends(fake, 0, NEVER);
      await fake.status("idle");
      await sends(fake, 0, NEVER);
    },
    "an abort after failures leaves the run stopped and the failures forgotten": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.troubled("APIError", OVERLOAD);
      await sends(fake, 1, 5_000 + COUNTDOWN);
      await fake.prompted(fake.prompts[0]!.body.parts);
      await fake.troubled(ABORT);
      await sends(fake, 1, NEVER);
      expect(await fake.command("unhold")).toBe("The agent stopped with open todos: continuing in 2 s.");
      await sends(fake, 2);
    },
    "only words after which the work is taken up, or unhold, lift it": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.troubled(ABORT);
      await fake.human("what was that?");
      await fake.status("idle");
      await sends(fake, 0, NEVER);
      await fake.prompted([{ type: "text", text: "a result", synthetic: true }]); // words, but not yours
      await fake.call("bash", { command: "look" });
      await fake.status("idle");
      await sends(fake, 0, NEVER);
      await fake.human("go on");
      await fake.call("bash", { command: "make" });
      await fake.status("idle");
      await sends(fake, 1);
    },
    "an error that is no abort stops nothing for good": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.troubled("APIError", OVERLOAD);
      await sends(fake, 1, 60_000);
    },
    "hold, before and during the countdown, and unhold": async (fake) => {
      await fake.begin("pending");
      await fake.wait(1_000);
      expect(await fake.command("hold")).toBe("On hold. /unhold continues.");
      await sends(fake, 0, NEVER);
      await fake.human("and now?");
      await fake.status("idle");
      await sends(fake, 0, NEVER);
      expect(await fake.command("unhold")).toBe("The agent stopped with open todos: continuing in 2 s.");
      await sends(fake, 1);
    },
  },
  "failures and limits": {
    "the gap delays": DEFECTS["a turn that ends inside the gap is dropped and the run stalls -> it is delayed"]!,
    "pauses grow and end":
      DEFECTS["turns that fail count for nothing -> they are counted, tried again with growing pauses, and end"]!,
    "a turn that succeeds forgets the failures": async (fake) => {
      await fake.human("go");
      await fake.list("pending", "pending");
      for (let round = 0; round < 3; round++) {
        await fake.troubled("APIError", OVERLOAD);
        await sends(fake, 2 * round + 1, 5_000 + COUNTDOWN); // the first pause each time
        await fake.turn(() => fake.call("bash", { command: `echo ${round}` }));
        await sends(fake, 2 * round + 2);
        await fake.prompted(fake.prompts.at(-1)!.body.parts);
      }
    },
    "a list that stays the same ends no retries": async (fake) => {
      await fake.begin("pending");
      fake.prompting = "refused";
      await fake.wait(60_000);
      fake.prompting = "taken";
      await sends(fake, 1, 120_000);
    },
    "nothing while a prompt is on its way":
      DEFECTS["cancelling the countdown forgets what is on its way -> one prompt per boundary"]!,
    "a full context stops, other failures are tried again, and words lift it": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.troubled("ContextOverflowError", { message: "too long" });
      await sends(fake, 0, NEVER);
      await fake.human("shorter, please");
      await fake.status("idle");
      await sends(fake, 1);
    },
  },
  progress: {
    "three turns without anything are the end": async (fake) => {
      await fake.begin("pending");
      for (let turn = 1; turn <= 3; turn++) {
        await sends(fake, turn);
        await fake.turn();
      }
      await sends(fake, 3, NEVER);
    },
    "a prompt that was refused counts for nothing": async (fake) => {
      await fake.begin("pending");
      fake.prompting = "refused";
      await fake.wait(30_000);
      fake.prompting = "taken";
      await fake.wait(60_000);
      for (let turn = 1; turn < 3; turn++) {
        expect(fake.prompts.length).toBe(turn);
        await fake.turn();
        await fake.wait(COUNTDOWN);
      }
      expect(fake.prompts.length).toBe(3);
    },
    "one done and one added is progress": async (fake) => {
      await fake.begin("pending", "pending");
      const items = ["pending", "pending"];
      for (let turn = 1; turn <= 6; turn++) {
        await sends(fake, turn);
        items[turn - 1] = "completed";
        items.push("pending");
        await fake.turn(() => fake.list(...items));
      }
      await sends(fake, 7);
    },
    "a status that goes back and forth is none": async (fake) => {
      await fake.begin("pending");
      for (let turn = 1; turn <= 3; turn++) {
        await sends(fake, turn);
        await fake.turn(() => fake.list(turn % 2 ? "in_progress" : "pending"));
      }
      await sends(fake, 3, NEVER);
    },
    "other words, another priority and another order are none": async (fake) => {
      await fake.begin(["pending", "write the parser"], ["pending", "write the printer"]);
      const lists = [
        [
          ["pending", "write the parser well"],
          ["pending", "write the printer"],
        ],
        [
          ["pending", "write the printer"],
          ["pending", "write the parser well"],
        ],
        [
          ["pending", "write the printer"],
          ["pending", "write the parser"],
        ],
      ] as const;
      for (const [at, items] of lists.entries()) {
        await sends(fake, at + 1);
        await fake.turn(() => fake.list(...items));
      }
      await sends(fake, 3, NEVER);
    },
    "activity delays the end and does not lift it": async (fake) => {
      await fake.begin("pending");
      for (let turn = 1; turn <= 20; turn++) {
        await sends(fake, turn);
        await fake.turn(() => fake.call("bash", { command: `echo ${turn}` }));
      }
      await sends(fake, 20, NEVER);
    },
    "progress permits the next rounds": async (fake) => {
      await fake.begin("pending", "pending");
      for (let turn = 1; turn <= 2; turn++) {
        await sends(fake, turn);
        await fake.turn();
      }
      await sends(fake, 3);
      await fake.turn(() => fake.list("completed", "pending"));
      for (let turn = 4; turn <= 6; turn++) {
        await sends(fake, turn);
        await fake.turn();
      }
      await sends(fake, 6, NEVER);
    },
  },
};
