import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { askedFor, workOn, writeList } from "../pi/models.ts";
import { LONG, openTildone, type TildoneTerminal } from "./terminal.ts";

/** Writes a list of one item, looks at it - when the test lets it -, stops, and does the item when it is told to continue. */
function looksWhenReleased() {
  const released = Promise.withResolvers<void>();
  let hasLooked = false;
  const script = (request: ModelRequest): Step => {
    const last = request.messages.at(-1);
    const item = askedFor(request);
    if (item !== undefined) return { calls: workOn(item) };
    if (last?.role === "user" && last.text === "go") return { calls: [writeList(1)] };
    if (last?.role !== "tool" || hasLooked) return { text: "Understood." };
    hasLooked = true;
    return { calls: [["list_todos", {}]], after: released.promise };
  };
  return { script, release: released.resolve };
}

/** What the user said, as the model was told in a request; the list and the nudges aside. */
const heardIn = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? [])
    .filter(({ role, text }) => role === "user" && !/^Todos remain|^\[tildone\]/.test(text))
    .map(({ text }) => text);

const heard = ({ box }: TildoneTerminal) => heardIn(box.model.requests.at(-1));

const AUTO_EDIT = { TILDONE_APPROVAL: "auto-edit" };

async function openBusy(more: Partial<Parameters<typeof openTildone>[0]> = {}) {
  const { script, release } = looksWhenReleased();
  const open = await openTildone({ script, words: "go", env: AUTO_EDIT, ...more });
  await open.box.model.received(2);
  return Object.assign(open, { release });
}

test("words typed while the agent works are shown, and delivered at the boundary in order, once", LONG, async () => {
  await using open = await openBusy();
  const { terminal, box, say, release } = open;
  await say("alpha");
  await terminal.shows(/queued: alpha/);
  await say("beta");
  await terminal.shows(/queued: alpha\n *queued: beta/);
  release();
  await terminal.shows(/Finished, not proven/);
  await terminal.hides(/queued:/);
  const [, , nextStep, boundary] = box.model.requests;
  expect(heardIn(nextStep)).toEqual(["go"]);
  expect(heardIn(boundary)).toEqual(["go", "alpha", "beta"]);
  expect(boundary?.messages.at(-1)?.text).toContain("[tildone] Todos: 0/1 done"); // as with words said to an idle agent
  expect(heard(open)).toEqual(["go", "alpha", "beta"]);
});

test("queued words come back into the editor, are changed and sent; Esc brings them back too", LONG, async () => {
  await using open = await openBusy();
  const { terminal, box, say } = open;
  await say("alpha");
  await terminal.shows(/queued: alpha/);
  terminal.keys("M-Up");
  await terminal.shows(/─\n ?alpha *\n─/);
  expect(terminal.screen()).not.toContain("queued");
  terminal.type(" and omega");
  await terminal.shows(/─\n ?alpha and omega *\n─/);
  terminal.keys("Enter");
  await terminal.shows(/queued: alpha and omega/);
  terminal.keys("Escape");
  await terminal.shows(/─\n ?alpha and omega *\n─/);
  await terminal.shows(/📋 0\/1 done · interrupted/);
  expect(box.model.requests).toHaveLength(2);
  terminal.keys("Enter");
  await terminal.shows(/Understood\./);
  expect(heard(open)).toEqual(["go", "alpha and omega"]);
});

test("words from another terminal are shown as queued, can be taken back, and arrive once", LONG, async () => {
  await using open = await openBusy();
  const { terminal, box, say, release } = open;
  const sayElsewhere = (words: string) =>
    execFileSync(process.execPath, [resolve("bin/tildone.js"), "say", words], { env: box.env, cwd: box.cwd });
  sayElsewhere("from afar");
  await terminal.shows(/queued: from afar/);
  terminal.type("at the end");
  await terminal.shows(/─\n ?at the end *\n─/);
  terminal.keys("M-Enter");
  await terminal.shows(/queued for the end: at the end/);
  await say("/queue");
  await terminal.shows(/→ 1\. from afar \(when it stops\)\n +2\. at the end \(at the end\)/);
  terminal.keys("Enter");
  await terminal.shows(/→ Edit it again/);
  terminal.keys("Enter");
  await terminal.shows(/─\n ?from afar *\n─/);
  expect(terminal.screen()).not.toContain("queued:");
  terminal.type("!");
  await terminal.shows(/─\n ?from afar! *\n─/);
  terminal.keys("Enter");
  await terminal.shows(/queued: from afar!/);
  release();
  await terminal.shows(/Finished, not proven/);
  await terminal.hides(/queued/);
  expect(heard(open)).toEqual(["go", "from afar!", "at the end"]);
});

test("/now says words in the middle of the turn", LONG, async () => {
  await using open = await openBusy();
  const { terminal, box, say, release } = open;
  await say("/now look sharp");
  await terminal.shows(/Steering: look sharp/);
  release();
  await terminal.shows(/Finished, not proven/);
  expect(heardIn(box.model.requests[2])).toEqual(["go", "look sharp"]);
  expect(heard(open)).toEqual(["go", "look sharp"]);
});

test("queued words survive a kill -9: they are shown again, and delivered once", LONG, async () => {
  await using open = await openBusy({ keepsSession: true });
  const { box, say, release } = open;
  await say("alpha");
  await open.terminal.shows(/queued: alpha/);
  await open.goOnAfterKill();
  await open.terminal.shows(/queued: alpha[\s\S]*parked/);
  release();
  expect(box.model.requests).toHaveLength(2);
  await say("/unhold");
  await open.terminal.shows(/Finished, not proven/);
  expect(heard(open)).toEqual(["go", "alpha"]);
});

test("a hold ends the turn; what you say then begins one of yours, and the run stays held", LONG, async () => {
  await using open = await openBusy();
  const { terminal, box, say, release } = open;
  await say("/hold");
  await terminal.shows(/✋ held/);
  release();
  await say("alpha");
  await terminal.shows(/Understood\./);
  expect(heardIn(box.model.requests[2])).toEqual(["go", "alpha"]);
});
