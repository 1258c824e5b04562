import { expect, test } from "vitest";
import type { Checkpoint, Envelope, RunEvent } from "../run/index.ts";
import type { Todo } from "../todo/index.ts";
import { chooseRedo, chooseUndo, workIn } from "./index.ts";

const point = (id: string, files: number): Checkpoint => ({
  ...{ id, tree: id, facts: id, ms: 1, changed: { files, added: files, removed: 0 } },
});

/** A log in short: `c1` takes a checkpoint with one changed file (`c1-`: none), `c1!` before the turn ends, `+a` starts, `-a` completes. */
function log(story: string): readonly Envelope[] {
  return story.split(" ").map((word, seq) => ({ seq, at: seq, by: "model", v: 1, event: eventOf(word) as RunEvent }));
}

function eventOf(word: string): unknown {
  const [, id = "", how] = /^(c\d+)(.*)$/.exec(word) ?? [];
  const moment = how?.includes("!") ? "turn_ended" : how?.includes("?") ? "turn_began" : "end";
  if (id !== "")
    return { type: "checkpoint.taken", moment, ids: [], checkpoint: point(id, how?.includes("-") ? 0 : 1) };
  const ids = [word.slice(1)];
  if (word.startsWith("+")) return { type: "todo.started", ids };
  if (word.startsWith("-")) return { type: "todo.completed", ids };
  if (word === "born") return { type: "run.began" };
  if (word === "turn") return { type: "turn.started" };
  if (word === "over") return { type: "turn.ended" };
  const [, undo = "", todo = "", from = "", to = "", redoes] = /^(u\d+):(\w):(\w+)-(\w+):?(\w+)?$/.exec(word) ?? [];
  const between = { before: point(`${undo}.before`, 0), after: point(`${undo}.after`, 1), steps: [{ from, to }] };
  return { type: "files.undone", undo, ids: [todo], ...between, ...(redoes && { redoes }), were: {} };
}

const TODOS = ["a", "b", "c"].map((id) => ({ id, text: id }) as Todo);

function undo(story: string, what?: string): string {
  const choice = chooseUndo(workIn(log(story)), TODOS, what);
  if (choice.status === "none") return choice.why;
  const steps = choice.steps.map(
    ({ from, to, unclear }) => `${from.id}-${to === "now" ? to : to.id}${unclear ? "?" : ""}`,
  );
  return `${choice.ids.join("")}: ${steps.join(" ")}`;
}

test.each([
  ["a todo is what changed between its start and its end", "born c1- +a c2- -a c3 +b c4- -b c5", "0", "a: c2-c3"],
  ["the last one without a word", "born c1- +a c2- -a c3 +b c4- -b c5", undefined, "b: c4-c5"],
  ["one that was never started has the work since the last one ended", "born c1- -a c2 -b c3", "1", "b: c2-c3"],
  ["several that were in progress go together", "born c1- +a +b c2- -a c3 -b c4", "1", "ba: c3-c4 c2-c3"],
  ["several that were completed in one go share it", "born c1- -a -b c2", "0", "ab: c1-c2"],
  ["what you change between turns is yours", "born c1- +a c2- c3! over c4? turn -a c5", "0", "a: c4-c5 c2-c3"],
  ["a turn whose end was not seen is unclear", "born c1- +a c2- over turn -a c3", "0", "a: c2-c3?"],
  ["one in progress reaches up to now", "born c1- +a c2- c3!", "0", "a: c2-c3"],
  ["one in progress in a turn that runs, too", "born c1- +a c2-", "0", "a: c2-now"],
  ["work in turns before it was completed unstarted", "born c1- c2! over turn -a c3", "0", "a: c2-c3 c1-c2"],
  ["a checkpoint takes back everything since", "born c1- +a c2- -a c3 +b c4- -b c5", "c2", "ba: c5-now c4-c5 c2-c3"],
  [
    "one that changed nothing says so",
    "born c1- +a c2- -a c3-",
    "0",
    "[0] changed no files. To open it again: tildone todo reopen 0",
  ],
  [
    "one that was undone says so",
    "born c1- +a c2- -a c3 over u1:a:c2-c3",
    "0",
    "[0] is already undone. tildone redo restores it.",
  ],
  ["one that was redone can be undone again", "born c1- +a c2- -a c3 over u1:a:c2-c3 u2:a:c2-c3:u1", "0", "a: c2-c3"],
  [
    "no such todo",
    "born c1-",
    "7",
    'There is no todo and no checkpoint "7". See tildone todo list and tildone checkpoints.',
  ],
  [
    "no checkpoint at all",
    "born",
    "0",
    "This run has no checkpoints, so nothing can be undone. They are taken in git repositories, or everywhere with checkpoints.enabled: true.",
  ],
])("%s", (_says, story, what, expected) => expect(undo(story, what)).toBe(expected));

test("a run without checkpoints says why there are none", () => {
  expect(chooseUndo(workIn(log("born")), TODOS, undefined, "git is not available")).toEqual({
    status: "none",
    why: "This run has no checkpoints, so nothing can be undone: git is not available.",
  });
});

test("redo takes the last undo back that stands", () => {
  const redo = (story: string) => {
    const choice = chooseRedo(workIn(log(story)));
    return choice.status === "none" ? choice.why : choice.redoes;
  };
  expect(redo("born c1- +a c2- -a c3 u1:a:c2-c3")).toBe("u1");
  expect(redo("born c1- +a c2- -a c3 u1:a:c2-c3 u2:a:c2-c3:u1")).toMatch(/nothing to redo/);
  expect(redo("born c1- +a c2- -a c3 +b c4- -b c5 u1:b:c4-c5 u2:a:c2-c3 u3:a:c2-c3:u2")).toBe("u1");
});

test("redo names what the undo took back", () => {
  const choice = chooseRedo(workIn(log("born c1- +a c2- -a c3 u1:a:c2-c3")));
  const undone = "undone" in choice ? choice.undone : undefined;
  expect(undone?.map(({ before, after }) => `${before.id}-${after.id}`)).toEqual(["c2-c3"]);
});
