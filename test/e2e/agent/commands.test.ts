import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { LONG, openTildone, runs } from "./terminal.ts";

/** Answers with the number of the request, so that it can be waited for. */
const answers = (_request: ModelRequest, count: number): Step => ({ text: `Answer ${count}.` });

const file = (header: string, body = ""): string => `---\ndescription: a command\n${header}\n---\n${body}\n`;

test("a message: /calls says what is under way, a file says its own", LONG, async () => {
  await using open = await openTildone({ script: answers, commands: { hi: file("message: 'Good day, {{args}}!'") } });
  await open.say("/calls");
  await open.terminal.shows(/No call is running\. Approval is ask\./);
  await open.say("/hi Ann");
  await open.terminal.shows(/Good day, Ann!/);
  expect(open.box.model.requests).toEqual([]);
});

test(
  "a tool: what the user types runs unasked, what a file wants is asked about and then continues",
  LONG,
  async () => {
    const commands = { mark: file('tool: bash\nargs:\n  command: "touch {{args}}"', "Look at {{args}}.") };
    await using open = await openTildone({ script: answers, commands });
    const { terminal, box, say } = open;
    await say("/call bash echo hello > typed && cat typed");
    await terminal.shows(/bash: hello/);
    await say("/call bahs x");
    await terminal.shows(/There is no tool "bahs"\. Did you mean bash\?/);
    await say('/call read {"paht": 1}');
    await terminal.shows(/read: arguments: must have required properties path/);
    expect(readFileSync(join(box.cwd, "typed"), "utf8")).toBe("hello\n");
    await say("/mark one.txt");
    await terminal.shows(/Allow bash\? touch one\.txt/);
    expect(existsSync(join(box.cwd, "one.txt"))).toBe(false);
    terminal.keys("Enter");
    await terminal.shows(/Answer 1\./);
    expect(existsSync(join(box.cwd, "one.txt"))).toBe(true);
    expect(box.model.requests.map(({ messages }) => messages.at(-1)?.text)).toEqual(["Look at one.txt."]);
  },
);

test("a tool call of the user ends with Esc", LONG, async () => {
  await using open = await openTildone({ script: answers });
  await open.say("/call bash sleep 1000");
  await open.terminal.shows(/continuation on · bash runs/);
  open.terminal.keys("Escape");
  await open.terminal.shows(/bash: You stopped it\./);
  await open.terminal.hides(/bash runs/);
});

test("a dialog: /approval shows the modes, and the choice is seen and holds", LONG, async () => {
  await using open = await openTildone({ script: answers });
  const { terminal, say } = open;
  await say("/approval");
  await terminal.shows(/● ask - reading is allowed, everything else asks/);
  terminal.keys("Down", "Enter");
  await terminal.shows(/continuation on · auto-edit/);
  await say("/approval never");
  await terminal.shows(/There is no approval mode "never": /);
});

test("a confirmation: /approval yolo asks first, and no changes nothing", LONG, async () => {
  const commands = { wipe: file("confirm: Wipe {{args}}?\nmessage: wiped {{args}}") };
  await using open = await openTildone({ script: answers, commands });
  const { terminal, say } = open;
  await say("/approval yolo");
  await terminal.shows(/every call runs without asking\. Only writes to \.git/);
  terminal.keys("Down", "Enter");
  await terminal.shows(/Nothing was done\./);
  expect(terminal.screen()).not.toContain("· yolo");
  await say("/approval yolo");
  await terminal.shows(/every call runs without asking\. Only writes to \.git/);
  terminal.keys("Enter");
  await terminal.shows(/continuation on · yolo/);
  await say("/wipe all");
  await terminal.shows(/Wipe all\?/);
  terminal.keys("Enter");
  await terminal.shows(/wiped all/);
});

test("a prompt: the text of a file is the user's words", LONG, async () => {
  await using open = await openTildone({
    script: answers,
    commands: { review: file("", "Review {{args}} with care.") },
  });
  await open.say("/review src");
  await open.terminal.shows(/Answer 1\./);
  expect(open.box.model.requests.map(({ messages }) => messages.at(-1))).toEqual([
    expect.objectContaining({ role: "user", text: "Review src with care." }),
  ]);
});

test("shell commands to confirm: no runs nothing, yes once asks again, always does not", LONG, async () => {
  const commands = { log: file("", "They say: !{echo ran {{args}} | tee -a ran.txt}") };
  await using open = await openTildone({ script: answers, commands });
  const { terminal, box, say } = open;
  const asked = /This command runs in your shell:\n +echo ran 'it'\\''s' \| tee -a ran\.txt/;
  const ran = () => (existsSync(join(box.cwd, "ran.txt")) ? readFileSync(join(box.cwd, "ran.txt"), "utf8") : "");
  await say("/log it's");
  await terminal.shows(asked);
  terminal.keys("Down", "Down", "Enter");
  await terminal.shows(/Nothing was done\./);
  expect([ran(), box.model.requests.length]).toEqual(["", 0]);
  await say("/log it's");
  await terminal.shows(asked);
  terminal.keys("Enter");
  await terminal.shows(/Answer 1\./);
  await say("/log it's");
  await terminal.shows(asked);
  terminal.keys("Down", "Enter");
  await terminal.shows(/Answer 2\./);
  await say("/log it's");
  await terminal.shows(/Answer 3\./);
  expect(ran()).toBe("ran it's\n".repeat(3));
  expect(box.model.requests[0]?.messages.at(-1)?.text).toBe("They say: ran it's");
});

test("a history: another conversation stands in place of this one, and the agent continues from it", LONG, async () => {
  const talk = [
    { role: "user", text: "My name is Ann." },
    { role: "assistant", text: "Hello Ann." },
  ];
  const files = { "talk.json": JSON.stringify(talk), "bad.json": JSON.stringify([{ role: "system", text: "x" }]) };
  await using open = await openTildone({ script: answers, files, words: "forget me" });
  const { terminal, box, say } = open;
  await terminal.shows(/Answer 1\./);
  await say("/load nowhere.json");
  await terminal.shows(/\/load: ENOENT/);
  await say("/load bad.json");
  await terminal.shows(/\/load: \[0\]\.role must be "user" or "assistant"/);
  await say("/load talk.json");
  const loaded = await terminal.shows(/My name is Ann\.[\s\S]*Hello Ann\./);
  expect(loaded).not.toContain("forget me");
  await say("who am I");
  await terminal.shows(/Answer 2\./);
  expect(box.model.requests[1]?.messages.map(({ text }) => text)).toEqual([
    "My name is Ann.",
    "Hello Ann.",
    "who am I",
  ]);
});

test("quit: /leave ends what runs and the program, and says what is open", LONG, async () => {
  let release = () => {};
  const script = (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role !== "tool")
      return { calls: [["write_todos", { mode: "replace", todos: [{ text: "one" }] }]] };
    return {
      text: "late",
      after: new Promise<void>((done) => {
        release = done;
      }),
    };
  };
  await using open = await openTildone({ script, words: "go" });
  await open.terminal.shows(/– \[0\] one/);
  await open.box.model.received(2);
  await open.say("/leave");
  const left = await open.terminal.shows(/\(exit 0\)/);
  expect(left).toMatch(/tildone: run \S+ is open\. Continue: tildone chat --continue, then \/unhold\n/);
  release();
});

test("quit: a call that still asks does not keep you", LONG, async () => {
  await using open = await openTildone({ script: runs("touch a"), words: "go" });
  await open.terminal.shows(/Allow bash\? touch a/);
  open.terminal.keys("Escape");
  await open.terminal.shows(/still waits for your answer/);
  await open.say("/leave bye");
  await open.terminal.shows(/\nbye\n\(exit 0\)/);
  expect(existsSync(join(open.box.cwd, "a"))).toBe(false);
});

test("files that say nothing sensible, or that are not trusted, are named and not loaded", LONG, async () => {
  const commands = {
    todos: file("message: mine"),
    nothing: file(""),
    odd: file("does: much"),
    two: file("message: a\nquit: true"),
  };
  const files = { ".tildone/commands/theirs.md": file("message: boo") };
  await using open = await openTildone({ script: answers, commands, files, size: { columns: 80, rows: 40 } });
  await open.terminal.shows(/message: boo[\s\S]*Trust them\? \[y\/N\]/);
  open.terminal.keys("n", "Enter");
  const screen = (await open.terminal.shows(/\/theirs\.(?!md)/)).replace(/\n +/g, " ");
  expect(screen).toContain("todos.md: a command of that name already exists");
  expect(screen).toContain("nothing.md: it has no text: write what the agent is told below the header");
  expect(screen).toContain('odd.md: it has no field "does"');
  expect(screen).toContain("two.md: it can do one thing: message or quit");
  expect(screen).toContain("Not loaded until you trust this project (tildone trust): /theirs.");
  await open.say("/theirs");
  await open.terminal.shows(/There is no command \/theirs\./);
  expect(open.box.model.requests).toEqual([]);
});
