import { expect, test } from "vitest";
import type { ModelRequest, Script, Step } from "../../../src/testing/index.ts";
import { askedFor, nudges, workOn, writeList } from "../pi/models.ts";
import { LONG, openTildone } from "./terminal.ts";

const AUTO_EDIT = { TILDONE_APPROVAL: "auto-edit" };

/** Does what it is told to continue for, answers questions, and works when told to do it differently. */
function follows(request: ModelRequest, count: number): Step {
  const last = request.messages.at(-1);
  if (last?.role === "tool") return { text: `I stop here (${count}).` };
  const item = askedFor(request);
  if (item !== undefined) return { calls: workOn(item) };
  const words = request.messages.findLast(({ role, text }) => role === "user" && !text.startsWith("[tildone]"))?.text;
  if (words === "go") return { calls: [writeList(2)] };
  if (words === "differently") return { calls: [["write", { path: "other.txt", content: "x" }]] };
  return { text: `Answer ${count}.` };
}

test.each([
  ["as words", "differently"],
  ["as a command", "/other"],
])(
  "the countdown is seen; a key ends it, a question changes nothing, a correction %s goes on",
  LONG,
  async (_how, line) => {
    await using open = await openTildone({
      script: follows,
      words: "go",
      commands: { other: "---\ndescription: corrects\n---\ndifferently" },
      env: { ...AUTO_EDIT, TILDONE_COUNTDOWN: "10m" },
    });
    const { terminal, box, say } = open;
    await terminal.shows(
      /Auto-continuing in \d+s\.\.\. \(type anything to interrupt\)[\s\S]*📋 0\/2 done continuation on/,
    );
    terminal.keys("Escape");
    await terminal.shows(/📋 0\/2 done · interrupted continuation off: \/unhold/);
    expect(terminal.screen()).not.toContain("Auto-continuing");
    await say("what did you do?");
    await terminal.shows(/Answer 3\./);
    await terminal.shows(/· interrupted continuation off/);
    await say("/tildone");
    await terminal.shows(/Last decisions:/);
    expect([nudges(box.model.requests), box.model.requests.length]).toEqual([[], 3]);
    await say(line);
    await terminal.shows(/I stop here \(5\)\./);
    await terminal.shows(/Auto-continuing[\s\S]*📋 0\/2 done continuation on/);
  },
);

test("Esc while the model answers: it stops, and nothing continues until /unhold", LONG, async () => {
  const never = new Promise<void>(() => {});
  const script = (request: ModelRequest, count: number): Step =>
    count === 2 ? { text: "never", after: never } : follows(request, count);
  await using open = await openTildone({ script, words: "go", env: AUTO_EDIT });
  const { terminal, box, say } = open;
  await box.model.received(2);
  await terminal.shows(/– \[0\] item 0/);
  terminal.keys("Escape");
  await terminal.shows(/📋 0\/2 done · interrupted continuation off: \/unhold/);
  await say("/calls");
  await terminal.shows(/No call is running/);
  expect(box.model.requests).toHaveLength(2);
  await say("/unhold");
  await terminal.shows(/Finished, not proven \(2 todos\)/);
});

test("Esc while a tool runs: its state was shown, it is ended, and nothing continues", LONG, async () => {
  const script = (request: ModelRequest, count: number): Step => {
    const item = askedFor(request);
    return item === undefined ? follows(request, count) : { calls: [["bash", { command: "touch ran; sleep 1000" }]] };
  };
  await using open = await openTildone({ script, words: "go", env: { TILDONE_APPROVAL: "yolo" } });
  const { terminal, box, say } = open;
  await terminal.shows(/📋 0\/2 done continuation on · yolo · bash runs/);
  const before = box.model.requests.length;
  terminal.keys("Escape");
  await terminal.shows(/📋 0\/2 done · interrupted continuation off: \/unhold · yolo/);
  await say("/calls");
  await terminal.shows(/No call is running/);
  expect(box.model.requests).toHaveLength(before);
});

const saysOk = (_request: ModelRequest, count: number): Step =>
  count === 1 ? { calls: [writeList(2)] } : { text: `ok ${count}` };

test.each<[string, string | undefined, Script, RegExp, RegExp]>([
  ["before anything was said", undefined, follows, /continuation on/, /There is no run|No run/],
  ["after the run was given up", "go", saysOk, /made no progress/, /Run \w+: 0\/2 done\.\s+The agent made no progress/],
  [
    "after the run finished",
    "go",
    follows,
    /Finished, not proven \(2 todos\)/,
    /Run \w+: 2\/2 done · 0 proven\.\s+Ended: Finished, but not all/,
  ],
])("Esc at rest, %s, changes nothing", LONG, async (_when, words, script, rests, stays) => {
  await using open = await openTildone({ script, env: AUTO_EDIT, ...(words !== undefined && { words }) });
  const { terminal, box, say } = open;
  await terminal.shows(rests);
  const before = box.model.requests.length;
  terminal.keys("Escape");
  await new Promise((done) => setTimeout(done, 500)); // a key right after it would be taken for one with Alt
  await say("/tildone");
  await terminal.shows(stays);
  expect(terminal.screen()).not.toContain("interrupted");
  expect(box.model.requests).toHaveLength(before);
});

test("a hold stays whatever is said, and the status line says so; off says why", LONG, async () => {
  await using open = await openTildone({
    script: follows,
    words: "go",
    env: { ...AUTO_EDIT, TILDONE_COUNTDOWN: "10m" },
  });
  const { terminal, box, say } = open;
  await terminal.shows(/Auto-continuing/);
  await say("/hold");
  await terminal.shows(/📋 0\/2 done · ✋ held continuation off: \/unhold/);
  await say("differently");
  await terminal.shows(/I stop here \(4\)\./);
  await terminal.shows(/✋ held continuation off: \/unhold/);
  expect(nudges(box.model.requests)).toEqual([]);

  await using off = await openTildone({ script: follows, words: "go", env: { ...AUTO_EDIT, TILDONE_OFF: "1" } });
  await off.terminal.shows(/I stop here \(2\)\.[\s\S]*📋 0\/2 done · off continuation off: TILDONE_OFF=1 is set/);
  expect(off.box.model.requests).toHaveLength(2);
});

test("the phase of a workflow stands in the status line and moves on", LONG, async () => {
  const seen = Promise.withResolvers<void>();
  const STEPS: readonly Step[] = [
    { calls: [["edit_todos", { action: "start", indices: [0] }]], after: seen.promise },
    { calls: [["edit_todos", { action: "complete", indices: [0] }]] },
    { calls: [["workflow_step", { action: "next", summary: "seen" }]] },
    { text: "I stop here." },
  ];
  const script = (_request: ModelRequest, count: number): Step => STEPS[count - 1] ?? { text: "Over." };
  await using open = await openTildone({ script, env: { ...AUTO_EDIT, TILDONE_COUNTDOWN: "10m" } });
  const { terminal, say } = open;
  await say("/workflow bugfix the parser loops");
  await terminal.shows(/continuation on · auto-edit Bugfix > 🐞 Reproduce \[1\/2\]/);
  seen.resolve();
  await terminal.shows(/continuation on · auto-edit Bugfix > .* \[2\/2\]/);
  await terminal.shows(/Auto-continuing/);
  await say("/cancel-workflow");
  await terminal.hides(/Bugfix >/);
});
