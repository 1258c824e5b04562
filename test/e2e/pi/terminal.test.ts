import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { nudges, stopsAfterEachItem, writeList } from "./models.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { openTerminal, type PiTerminal } from "./terminal.ts";

/** An extension that writes down how often pi settled. */
const settledLog = (box: Sandbox): { readonly path: string; readonly count: () => number } => {
  const log = box.file("settled.log", "");
  const path = box.file(
    "settled.mjs",
    `import { appendFileSync } from "node:fs";
     export default (pi) => pi.on("agent_settled", () => appendFileSync(${JSON.stringify(log)}, "x"));`,
  );
  return { path, count: () => readFileSync(log, "utf8").length };
};

test.each([3, 20])("a model that stops after every todo finishes a list of %i in the terminal", async (items) => {
  await using box = await openSandbox({ script: stopsAfterEachItem(items), flags: ["--til-done-countdown", "50ms"] });
  const settled = settledLog(box);
  using terminal = openTerminal(box, "-e", settled.path, "do it");
  const screen = await terminal.shows(new RegExp(`☑ Finished, not proven \\(${items} todos\\)`));
  expect(screen).toContain(`⚠ Finished, but not all of it is proven by a check. [${items}/${items} done · 0 proven]`);
  expect(screen).toContain(`edit_todos complete [${items - 1}]`);
  const sent = nudges(box.model.requests);
  expect([sent.length, new Set(sent).size, box.model.requests.length]).toEqual([items, items, 2 + 2 * items]);
  await expect.poll(settled.count).toBe(1);
});

/** A countdown of five seconds, and three moments of it that a slow machine does not miss. */
const COUNTDOWN = ["--til-done-countdown", "5s"];
const MOMENTS = [/Auto-continuing in [1-5]s/, /Auto-continuing in [1-3]s/, /Auto-continuing in [12]s/];

const DIFFERENTLY = "no, do it differently";
const QUESTION = "what did you do?";

/** Works when told to do it differently, only answers a question, and never finishes anything. */
function follows(box: () => Sandbox) {
  return (request: ModelRequest): Step => {
    const last = request.messages.at(-1);
    if (last?.role === "tool") return { text: "I stop here." };
    const words = request.messages.findLast(({ role, text }) => role === "user" && !text.startsWith("[tildone]"))?.text;
    if (words === QUESTION) return { text: `Answer ${box().model.requests.length}.` };
    if (words === DIFFERENTLY)
      return { calls: [["write", { path: `file-${box().model.requests.length}.txt`, content: "x" }]] };
    return { calls: [writeList(2)] };
  };
}

async function say(terminal: PiTerminal, words: string): Promise<void> {
  await write(terminal, words);
  terminal.keys("Enter");
}

/** Resolves when all of it stands in the editor, between its two lines: what is typed later would be a key press. */
async function write(terminal: PiTerminal, words: string): Promise<void> {
  terminal.type(words);
  await terminal.shows(new RegExp(`─\\n ?${words.replaceAll("?", "\\?")} *\\n`));
}

test.each([
  ["Esc", ["Escape"]],
  ["a key", ["x", "BSpace"]],
])("%s at three moments of the countdown: no nudge, then it follows the user", async (_what, keys) => {
  let box: Sandbox | undefined;
  await using opened = await openSandbox({ script: (request) => follows(() => box!)(request), flags: COUNTDOWN });
  box = opened;
  using terminal = openTerminal(box, "go");
  for (const moment of MOMENTS) {
    await terminal.shows(moment);
    const before = box.model.requests.length;
    terminal.keys(...keys);
    await terminal.shows(/· interrupted/);
    expect(terminal.screen()).not.toContain("Auto-continuing");
    await say(terminal, QUESTION);
    await terminal.shows(new RegExp(`Answer ${before + 1}\\.[^]*📋 0/2 done · interrupted`));
    expect(box.model.requests.length).toBe(before + 1);
    await say(terminal, DIFFERENTLY);
    await box.model.received(before + 3);
  }
  await terminal.shows(/Auto-continuing/);
  expect(terminal.screen()).toContain("Send a message or /unhold to continue.");
  expect(nudges(box.model.requests)).toEqual([]);
});

const NEVER = new Promise<void>(() => {});
test.each<[string, Step]>([
  ["while the model thinks", { text: "never said", after: NEVER }],
  ["while a tool runs", { calls: [["bash", { command: "touch started; sleep 1000" }]] }],
])("Esc %s: nothing is sent, and a question alone does not change that", async (_when, step) => {
  const script = (_request: ModelRequest, count: number): Step =>
    count === 1 ? { calls: [writeList(2)] } : count === 2 ? step : { text: `Answer ${count}.` };
  await using box = await openSandbox({ script, flags: ["--til-done-countdown", "50ms"] });
  using terminal = openTerminal(box, "go");
  await box.model.received(2);
  if (step.calls) await expect.poll(() => existsSync(join(box.cwd, "started")), { timeout: 20_000 }).toBe(true);
  terminal.keys("Escape");
  await terminal.shows(/· interrupted/);
  await say(terminal, QUESTION);
  await terminal.shows(/Answer 3\.[\s\S]*· interrupted/);
  expect([nudges(box.model.requests), box.model.requests.length]).toEqual([[], 3]);
});

test("Esc at rest, after the run stopped, changes nothing", async () => {
  const script = (_request: ModelRequest, count: number): Step =>
    count === 1 ? { calls: [writeList(2)] } : { text: `ok ${count}` };
  await using box = await openSandbox({ script, flags: ["--til-done-countdown", "50ms"] });
  using terminal = openTerminal(box, "go");
  await terminal.shows(/made no progress/);
  const before = box.model.requests.length;
  terminal.keys("Escape");
  await new Promise((done) => setTimeout(done, 500)); // a key right after it would be taken for one with Alt
  await say(terminal, "/tildone");
  await terminal.shows(/Last decisions/);
  expect(box.model.requests.length).toBe(before);
});

test("words sent at three moments of the countdown are answered instead of a nudge", async () => {
  let box: Sandbox | undefined;
  let release = () => {};
  const script = (request: ModelRequest): Step => {
    const step = follows(() => box!)(request);
    if (step.text !== "I stop here.") return step;
    return {
      ...step,
      after: new Promise<void>((done) => {
        release = done;
      }),
    }; // the user types while it works
  };
  await using opened = await openSandbox({ script, flags: COUNTDOWN });
  box = opened;
  using terminal = openTerminal(box, "go");
  await box.model.received(2);
  for (const moment of MOMENTS) {
    await write(terminal, DIFFERENTLY);
    const before = box.model.requests.length;
    release();
    await terminal.shows(moment);
    terminal.keys("Enter");
    await box.model.received(before + 2);
  }
  release();
  await terminal.shows(/Auto-continuing/);
  expect([nudges(box.model.requests), box.model.requests.length]).toEqual([[], 8]);
});

test("/todos shows the list, and its keys edit it", async () => {
  const script = (request: ModelRequest): Step =>
    request.messages.at(-1)?.role === "tool" ? { text: "I stop here." } : { calls: [writeList(3)] };
  await using box = await openSandbox({ script, env: { TILDONE_OFF: "1" } });
  using terminal = openTerminal(box, "go");
  await terminal.shows(/📋 0\/3 done · off/);
  await say(terminal, "/todos");
  const opened = await terminal.shows(/Todos 0\/3/);
  expect(opened).toContain("↑↓ select · shift+↑↓ move · space done · o reopen · u unblock · r release");
  expect(opened).toContain("a add · e edit · x remove · esc close");
  terminal.keys("Space");
  await terminal.shows(/› ✓ \[0\] item 0/);
  terminal.keys("Down", "Down", "S-Up");
  await terminal.shows(/› – \[1\] item 2\n +– \[2\] item 1/);
  terminal.keys("x");
  await terminal.shows(/Todos 1\/2/);
  terminal.keys("a");
  terminal.type("by hand");
  terminal.keys("Enter");
  await terminal.shows(/– \[2\] by hand/);
  terminal.keys("Escape");
  await terminal.hides(/↑↓ select/);
  await terminal.shows(/📋 1\/3 done · 1 proven · off/);
});
