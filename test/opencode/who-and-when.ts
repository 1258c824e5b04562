import { expect } from "vitest";
import { type Case, COUNTDOWN, NEVER, OVERLOAD, sends, shownIn, WHILE_BUSY } from "./case.ts";
import { DEFECTS } from "./defects.ts";
import { openFakeOpenCode } from "./fake-opencode.ts";

const SERVE = "test/hosts/opencode-serve.test.ts";
const RUN = "test/hosts/opencode-run.test.ts";
const HUMAN = "test/hosts/opencode-human.test.ts";
const FAILURES = "test/hosts/opencode-failures.test.ts";

/** Whose words they are, as whom it continues, and what is waited for. */
export const WHO_AND_WHEN: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  "whose words": {
    "our own prompt is not the human's": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1);
      await fake.prompted(fake.prompts[0]!.body.parts);
      await fake.event("message.updated", { sessionID: "root", info: { id: "m9", role: "user" } });
      await fake.status("idle");
      await sends(fake, 2);
    },
    "a prompt of another plugin ends the countdown": async (fake) => {
      await fake.begin("pending");
      await fake.wait(1_000);
      await fake.prompted([{ type: "text", text: "go on!", synthetic: true }]);
      await sends(fake, 0, NEVER);
    },
    "the human's words come first, and the run goes on after their turn": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1);
      await fake.human("do the other thing first");
      await sends(fake, 1, WHILE_BUSY);
      await fake.call("bash", { command: "other" });
      await fake.status("idle");
      await sends(fake, 2);
    },
    "told by the parts of the message, not by time": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1);
      await fake.wait(NEVER);
      for (let turn = 1; turn <= 3; turn++) {
        await fake.turn(); // however late it is taken up, it is ours
        await fake.wait(COUNTDOWN);
      }
      expect(fake.prompts.length).toBe(3);
    },
    "an answer that brings nothing is counted": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1);
      await fake.turn(() => fake.hooks["experimental.text.complete"]({ sessionID: "root" }, { text: "I will." }));
      await sends(fake, 2);
      await fake.turn();
      await sends(fake, 3);
      await fake.turn();
      await sends(fake, 3, NEVER);
    },
  },
  "agent and model": {
    "plan is never sent on, also not after a compaction": async (fake) => {
      await fake.human("go", { agent: "plan" });
      await fake.list("pending");
      const info = { id: "s", role: "assistant", agent: "compaction", summary: true };
      await fake.event("message.updated", { sessionID: "root", info });
      await fake.event("session.compacted", { sessionID: "root" });
      await fake.status("idle");
      await sends(fake, 0, NEVER);
    },
    "its name is the one that OpenCode has": async (fake) => {
      await fake.human("go", { agent: "Build" });
      await fake.list("pending");
      await fake.status("idle");
      await sends(fake, 0, NEVER);
      expect(fake.said).toContain('OpenCode knows no agent "Build".');
    },
    "the variant goes along, and no tools are switched": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1);
      const { body } = fake.prompts[0]!;
      expect([body.variant, Object.keys(body).sort()]).toEqual(["high", ["agent", "model", "parts", "variant"]]);
    },
    "the model of the last answer, spelled flat": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      const info = { id: "a", role: "assistant", agent: "build", providerID: "q", modelID: "n", variant: "low" };
      await fake.event("message.updated", { sessionID: "root", info });
      await fake.status("idle");
      await sends(fake, 1);
      expect(fake.prompts[0]!.body).toMatchObject({ model: { providerID: "q", modelID: "n" }, variant: "low" });
    },
    "an unknown agent never": async (fake) => {
      await fake.human("go", { agent: "gone" });
      await fake.list("pending");
      await fake.status("idle");
      await sends(fake, 0, NEVER);
    },
    "an agent that may not write never": async (fake) => {
      await fake.human("go", { agent: "plan" });
      await fake.list("pending");
      await fake.status("idle");
      await sends(fake, 0, NEVER);
      expect(fake.said).toContain('The agent "plan" may not write.');
    },
  },
  compaction: {
    "its text is no end of a turn": async () => {
      const fake = await openFakeOpenCode({ driver: "loop" });
      try {
        await fake.human("go");
        await fake.list("pending");
        await fake.hooks["chat.params"]({ sessionID: "root", agent: "compaction" });
        await fake.hooks["experimental.text.complete"]({ sessionID: "root" }, { text: "A summary." });
        await fake.wait(NEVER);
        expect([...fake.laid]).toEqual([]);
      } finally {
        await fake.close();
      }
    },
    "its summary is not who speaks": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      const info = { id: "s", role: "assistant", agent: "compaction", summary: true, providerID: "x", modelID: "x" };
      await fake.event("message.updated", { sessionID: "root", info });
      await fake.status("idle");
      await sends(fake, 1);
      expect(fake.prompts[0]!.body).toMatchObject({ agent: "build", model: { providerID: "p" } });
    },
    "one that ends during the countdown ends nothing": async (fake) => {
      await fake.begin("pending");
      await fake.event("session.compacted", { sessionID: "root" });
      await sends(fake, 1);
    },
    "OpenCode's own prompt after it and ours are never both sent": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      const output = { enabled: true };
      await fake.hooks["experimental.compaction.autocontinue"]({ sessionID: "root" }, output);
      const context: string[] = [];
      await fake.hooks["experimental.session.compacting"]({ sessionID: "root" }, { context });
      await fake.event("session.compacted", { sessionID: "root" });
      await fake.status("idle");
      await sends(fake, 1);
      expect([output.enabled, context.join("")]).toEqual([false, expect.stringContaining("item 0")]);
    },
  },
  "pending input": {
    "a question without an answer": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.event("question.asked", { id: "q1", sessionID: "root" });
      await fake.call("bash", { command: "ls" });
      await fake.status("idle");
      await sends(fake, 0, NEVER);
    },
    "one that was answered": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.event("question.asked", { id: "q1", sessionID: "root" });
      await fake.event("question.replied", { requestID: "q1", sessionID: "root" });
      await fake.status("idle");
      await sends(fake, 1);
    },
    "a message that is not the human's answers none": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.event("question.asked", { id: "q1", sessionID: "root" });
      await fake.prompted([{ type: "text", text: "a result", synthetic: true }]);
      await fake.status("idle");
      await sends(fake, 0, NEVER);
    },
    "a permission that is asked for, here or below": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.event("permission.asked", { id: "p1", sessionID: "child-1" });
      await fake.status("idle");
      await sends(fake, 0, NEVER);
      await fake.event("permission.replied", { requestID: "p1", sessionID: "child-1", reply: "once" });
      await sends(fake, 1);
    },
  },
  background: {
    "what works below is waited for":
      DEFECTS["waiting for work in the background ends in nothing -> it is taken up when the work ends"]!,
    "a result that is on its way is waited for": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.status("busy", "child-1");
      await fake.status("idle");
      await fake.status("idle", "child-1");
      await fake.wait(100);
      await fake.prompted([{ type: "text", text: "the child's result", synthetic: true }]);
      await sends(fake, 0, WHILE_BUSY);
      await fake.status("idle");
      await sends(fake, 1);
    },
    "what has ended is not woken again": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.status("busy", "child-1");
      await fake.status("idle", "child-1");
      await fake.status("idle");
      await sends(fake, 1);
      expect(fake.prompts.map(({ session }) => session)).toEqual(["root"]);
    },
  },
  sending: {
    "two idles at once, one prompt": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await Promise.all([fake.status("idle"), fake.event("session.idle", { sessionID: "root" })]);
      await sends(fake, 1, NEVER);
    },
    "nothing more until the turn that was sent has ended": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1, NEVER);
    },
    "one prompt per boundary, however often it is asked for": async (fake) => {
      await fake.begin("pending");
      await fake.status("busy", "child-1");
      await fake.status("idle", "child-1");
      await fake.command("unhold");
      await sends(fake, 1, NEVER);
    },
    "nothing while the session works": async (fake) => {
      await fake.begin("pending");
      fake.busy = { root: { type: "busy" } };
      await sends(fake, 0, NEVER);
    },
    "nothing while a question opens during the countdown": async (fake) => {
      await fake.begin("pending");
      await fake.event("question.asked", { id: "q1", sessionID: "root" });
      await sends(fake, 0, NEVER);
    },
    "nothing while OpenCode does not answer": async (fake) => {
      await fake.begin("pending");
      fake.reading = "hangs";
      await sends(fake, 0, NEVER);
    },
    "a prompt whose answer was lost is not sent twice": async (fake) => {
      await fake.begin("pending");
      fake.prompting = "lost";
      await fake.wait(COUNTDOWN);
      fake.prompting = "taken";
      await fake.prompted(fake.prompts[0]!.body.parts); // it had arrived
      await sends(fake, 1, NEVER);
    },
  },
  lifecycle: {
    "no timer without a run": async (fake) => {
      await fake.human("hello");
      await fake.status("idle");
      expect(fake.clock.pending).toBe(0);
    },
    "a session that is deleted leaves nothing": async (fake) => {
      await fake.begin("pending");
      await fake.event("session.deleted", { info: { id: "root" } });
      expect(fake.clock.pending).toBe(0);
      await sends(fake, 0, NEVER);
    },
    "recovery, which only programs with a recovery of their own have": shownIn(
      "src/hosts/library/create-todo-continuation-hook.test.ts",
      "should skip during recovery",
    ),
    "the end, twice": async (fake) => {
      await fake.begin("pending");
      await fake.hooks.dispose();
      await fake.hooks.dispose();
      expect(fake.clock.pending).toBe(0);
    },
  },
  "and here": {
    "turns shorter than the gap continue to the end": shownIn(SERVE, "a turn shorter than the gap is delayed"),
    "a turn that fails has failed": shownIn(FAILURES, "a permanent 400 stops the run at once"),
    "a double idle is one end": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.troubled("APIError", OVERLOAD);
      await sends(fake, 1, 60_000);
    },
    "an abort while idle": shownIn(HUMAN, "abort: nothing is sent until the user spoke and the work was taken up"),
    "an overflow, a compaction, and on": shownIn(
      FAILURES,
      "an overflow is compacted by OpenCode and the run continues",
    ),
    "a dismissed question, a refused permission": shownIn(HUMAN, "a permission that is refused: interrupted"),
    "text before a call adds nothing to what the model sees": shownIn(RUN, "%s: text before a call is no end"),
    "a silent turn": async (fake) => {
      await fake.begin("pending");
      await sends(fake, 1);
      await fake.turn(() => fake.call("bash", { command: "make" }));
      await sends(fake, 2);
    },
    "the summary of a compaction": async (fake) => {
      await fake.human("go");
      await fake.list("pending");
      await fake.hooks["chat.params"]({ sessionID: "root", agent: "compaction" });
      await fake.hooks["experimental.text.complete"]({ sessionID: "root" }, { text: "Which one do you want?" });
      await fake.hooks["chat.params"]({ sessionID: "root", agent: "build" });
      await fake.status("idle");
      await sends(fake, 1);
      expect(fake.prompts[0]!.body.parts[0]!.text).toMatch(/^Todos remain/); // not the nudge that answers a question
    },
    "no network, and nothing of OpenCode's own packages": shownIn(
      "src/hosts/opencode/scripted.ts",
      'HTTPS_PROXY: "http://127.0.0.1:9"',
    ),
  },
};
