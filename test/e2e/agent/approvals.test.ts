import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Call, ModelRequest, Step } from "../../../src/testing/index.ts";
import { askedFor } from "../pi/models.ts";
import { LONG, openTildone, runs } from "./terminal.ts";

const [ONCE, ALWAYS, TOOL, EDIT, WORDS, STOP] = [0, 1, 2, 3, 4, 5] as const;
const choose = (choice: number): readonly string[] => [...Array<string>(choice).fill("Down"), "Enter"];
const made = (cwd: string, ...names: readonly string[]) => names.filter((name) => existsSync(join(cwd, name)));

test("a call asks before it runs; allowed once, the next one asks again", LONG, async () => {
  await using open = await openTildone({ script: runs("touch a", "touch a b"), words: "go" });
  const { box, terminal } = open;
  const asking = await terminal.shows(/Allow bash\? touch a\n[\s\S]*📋 0\/2 done continuation on · bash asks/);
  expect(asking).toContain("(rule: changes need approval)");
  expect(asking).toMatch(/\[-{20}\] 0\/2/);
  expect(asking).toContain("● [0] item 0");
  expect(made(box.cwd, "a", "b")).toEqual([]);
  await expect.poll(terminal.rings).toBe(1);
  terminal.keys(...choose(ONCE));
  await terminal.shows(/Allow bash\? touch a b/);
  expect(made(box.cwd, "a", "b")).toEqual(["a"]);
  terminal.keys(...choose(ONCE));
  await terminal.shows(/Finished, not proven \(2 todos\)/);
  expect(made(box.cwd, "a", "b")).toEqual(["a", "b"]);
  await expect.poll(terminal.rings).toBe(3); // for each question, and for the end
});

test("allowed for good: exactly this is not asked about again, anything else is", LONG, async () => {
  const script = runs("echo x >> log", "echo x >> log", "echo y >> log", "echo z >> log");
  await using open = await openTildone({ script, words: "go" });
  const { terminal } = open;
  await terminal.shows(/Allow bash\? echo x/);
  terminal.keys(...choose(ALWAYS));
  await terminal.shows(/Allow bash\? echo y/);
  expect(terminal.screen()).toMatch(/2\/4/);
  terminal.keys(...choose(TOOL));
  await terminal.shows(/Finished, not proven \(4 todos\)/);
});

test("denied with words: the agent reads them and continues with the rest", LONG, async () => {
  await using open = await openTildone({ script: runs("touch a", "touch b"), words: "go" });
  const { box, terminal, told } = open;
  await terminal.shows(/Allow bash\? touch a/);
  terminal.keys(...choose(WORDS));
  await terminal.shows(/What should it do instead\?/);
  terminal.type("use a folder");
  await terminal.shows(/use a folder/);
  terminal.keys("Enter");
  await terminal.shows(/Allow bash\? touch b/);
  expect(told()).toContain("The user denied it. use a folder");
  terminal.keys(...choose(STOP));
  await terminal.shows(/interrupted/);
  expect(made(box.cwd, "a", "b")).toEqual([]);
});

test("changed to the end: mistakes are named, what was written is what runs, and the agent is told", LONG, async () => {
  await using open = await openTildone({ script: runs("touch a"), words: "go" });
  const { box, terminal, told } = open;
  await terminal.shows(/Allow bash\? touch a/);
  terminal.keys(...choose(EDIT));
  await terminal.shows(/Change the arguments \(JSON\)[\s\S]*"command": "touch a"/);
  terminal.keys("Escape"); // back to the choices
  await terminal.shows(/Allow bash\? touch a/);
  terminal.keys(...choose(EDIT));
  await terminal.shows(/Change the arguments \(JSON\)/);
  terminal.type("x");
  terminal.keys("Enter");
  await terminal.shows(/This is not JSON/);
  await replace(terminal, '{"comand": "touch edited"}');
  await terminal.shows(/must have required properties command/);
  expect(made(box.cwd, "a", "edited")).toEqual([]);
  await replace(terminal, '{"command": "touch edited && echo done"}');
  await terminal.shows(/Finished, not proven/);
  expect(made(box.cwd, "a", "edited")).toEqual(["edited"]);
  expect(told()).toContain(
    'The user changed the arguments of this call before it ran: {"command":"touch edited && echo done"}',
  );
});

/** Empties the editor and sends this instead. */
async function replace(
  terminal: { keys(...keys: readonly string[]): void; type(text: string): void; shows(p: RegExp): Promise<string> },
  text: string,
): Promise<void> {
  terminal.keys("C-e", ...Array<string>(8).fill("C-u"), ...Array<string>(8).fill("BSpace"), "C-u");
  terminal.type(text);
  await terminal.shows(new RegExp(`─\\n ?${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")} *\\n`));
  terminal.keys("Enter");
}

test(
  "Esc leaves the question open: the agent waits, /approve asks again, and Esc in the editor stops",
  LONG,
  async () => {
    await using open = await openTildone({ script: runs("touch a", "touch b"), words: "go" });
    const { box, terminal, say } = open;
    await terminal.shows(/Allow bash\? touch a/);
    terminal.keys("Escape");
    await terminal.shows(/bash still waits for your answer: \/approve asks again, Esc stops/);
    expect(terminal.screen()).toContain("bash asks");
    await say("/approve");
    await terminal.shows(/Allow bash\? touch a/);
    terminal.keys(...choose(ONCE));
    await terminal.shows(/Allow bash\? touch b/);
    expect(made(box.cwd, "a", "b")).toEqual(["a"]);
    terminal.keys("Escape");
    await terminal.shows(/Working/);
    const before = box.model.requests.length;
    terminal.keys("Escape");
    await terminal.shows(/📋 1\/2 done · 0 proven · interrupted continuation off: \/unhold/);
    expect([made(box.cwd, "a", "b"), box.model.requests.length]).toEqual([["a"], before]);
  },
);

test("an answer from another terminal closes the dialog", LONG, async () => {
  await using open = await openTildone({ script: runs("touch a"), words: "go" });
  const { box, terminal } = open;
  await terminal.shows(/Allow bash\? touch a/);
  execFileSync(process.execPath, [resolve("bin/tildone.js"), "approve"], { env: box.env, cwd: box.cwd });
  await terminal.shows(/Finished, not proven/);
  expect(made(box.cwd, "a")).toEqual(["a"]);
});

test("a question comes neither over what the user writes nor over what they look at", LONG, async () => {
  const asks = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const script = (request: ModelRequest): Step => {
    const step = runs("touch a", "touch b")(request);
    const item = askedFor(request);
    const said = request.messages.findLast(({ text }) => !text.startsWith("[tildone]"));
    if (said?.text === "half a sentence") return { text: "Understood." };
    return item === undefined ? step : { ...step, after: asks[item]!.promise };
  };
  await using open = await openTildone({ script, words: "go" });
  const { box, terminal, say } = open;
  await box.model.received(3);
  terminal.type("half a sen");
  await terminal.shows(/─\n ?half a sen *\n─/);
  asks[0]!.resolve();
  await terminal.shows(/bash waits for your answer; you are asked when your message is sent/);
  expect(terminal.screen()).not.toContain("Allow bash?");
  terminal.type("tence");
  await terminal.shows(/─\n ?half a sentence *\n─/);
  terminal.keys("Enter"); // sends the words, and answers nothing
  await terminal.shows(/queued: half a sentence[\s\S]*Allow bash\? touch a/);
  expect(made(box.cwd, "a")).toEqual([]);
  terminal.keys(...choose(ONCE));
  await box.model.received(6);
  await say("/todos");
  await terminal.shows(/esc close/);
  asks[1]!.resolve();
  await terminal.shows(/continuation on · bash asks/);
  expect(terminal.screen()).toContain("esc close");
  terminal.keys("Escape");
  await terminal.shows(/Allow bash\? touch b/);
  terminal.keys(...choose(ONCE));
  await terminal.shows(/Finished, not proven \(2 todos\)/);
  expect(made(box.cwd, "a", "b")).toEqual(["a", "b"]);
});

test("what the user changed proves nothing about what the agent wanted to run", LONG, async () => {
  const script = (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role === "tool") return { text: "I stop here." };
    if (askedFor(request) === undefined)
      return { calls: [["write_todos", { mode: "replace", todos: [{ text: "one", check: "test -f proof" }] }]] };
    const edit = (action: string): Call => ["edit_todos", { action, indices: [0] }];
    return { calls: [edit("start"), ["bash", { command: "test -f proof" }], edit("complete")] };
  };
  await using open = await openTildone({ script, words: "go" });
  const { terminal } = open;
  await terminal.shows(/Allow bash\? test -f proof/);
  terminal.keys(...choose(EDIT));
  await terminal.shows(/Change the arguments/);
  await replace(terminal, '{"command": "true"}');
  await terminal.shows(/Finished, not proven/);
});
