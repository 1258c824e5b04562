import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { askedFor, workOn, writeList } from "../pi/models.ts";
import { LONG, openTildone, type TildoneTerminal } from "./terminal.ts";

/** Writes a list of one item, stops - when the test lets it - and does the item when it is sent on. */
function stopsWhenReleased() {
  const held: (() => void)[] = [];
  const script = (request: ModelRequest): Step => {
    const last = request.messages.at(-1);
    const item = askedFor(request);
    if (item !== undefined) return { calls: workOn(item) };
    if (last?.role === "user" && last.text === "go") return { calls: [writeList(1)] };
    if (last?.role === "tool" && last.text.includes("item 0") && held.length === 0)
      return { text: "I stop here.", after: new Promise<void>((done) => held.push(done)) };
    return { text: "Understood." };
  };
  const release = () => {
    for (const done of held) done();
  };
  return { script, release };
}

/** What the human said, as the model saw it at the end; nudges and the agent's own words aside. */
const heard = ({ box }: TildoneTerminal): readonly string[] =>
  (box.model.requests.at(-1)?.messages ?? [])
    .filter(({ role, text }) => role === "user" && !/^Todos remain|^\[tildone\]/.test(text))
    .map(({ text }) => text);

const AUTO_EDIT = { TILDONE_APPROVAL: "auto-edit" };

test("words typed while the agent works are shown, and delivered at the boundary in order, once", LONG, async () => {
  const { script, release } = stopsWhenReleased();
  await using open = await openTildone({ script, words: "go", env: AUTO_EDIT });
  const { terminal, box, say } = open;
  await box.model.received(2);
  await say("alpha");
  await terminal.shows(/Steering: alpha/);
  await say("beta");
  await terminal.shows(/Steering: alpha\n *Steering: beta\n.*Alt\+Up to edit all queued messages/);
  expect(box.model.requests).toHaveLength(2);
  release();
  await terminal.shows(/Finished, not proven/);
  expect(terminal.screen()).not.toContain("Steering:");
  expect(heard(open)).toEqual(["go", "alpha", "beta"]);
});

test("queued words come back into the editor, are changed and sent; Esc brings them back too", LONG, async () => {
  const { script, release } = stopsWhenReleased();
  await using open = await openTildone({ script, words: "go", env: AUTO_EDIT });
  const { terminal, box, say } = open;
  await box.model.received(2);
  await say("alpha");
  await terminal.shows(/Steering: alpha/);
  terminal.keys("M-Up");
  await terminal.shows(/─\n ?alpha *\n─/);
  expect(terminal.screen()).not.toContain("Steering:");
  terminal.type(" and omega");
  await terminal.shows(/─\n ?alpha and omega *\n─/);
  terminal.keys("Enter");
  await terminal.shows(/Steering: alpha and omega/);
  terminal.keys("Escape");
  await terminal.shows(/─\n ?alpha and omega *\n─/);
  await terminal.shows(/📋 0\/1 · interrupted/);
  expect(box.model.requests).toHaveLength(2);
  terminal.keys("Enter");
  await terminal.shows(/Understood\./);
  expect(heard(open)).toEqual(["go", "alpha and omega"]);
  release();
});

test("words from another terminal are shown as queued, can be taken back, and arrive once", LONG, async () => {
  const { script, release } = stopsWhenReleased();
  await using open = await openTildone({ script, words: "go", env: AUTO_EDIT });
  const { terminal, box, say } = open;
  const sayElsewhere = (words: string) =>
    execFileSync(process.execPath, [resolve("bin/tildone.js"), "say", words], { env: box.env, cwd: box.cwd });
  await box.model.received(2);
  sayElsewhere("from afar");
  await terminal.shows(/queued \(steer\): from afar/);
  await say("/queue at the end");
  await terminal.shows(/queued \(follow-up\): at the end/);
  await say("/queue");
  await terminal.shows(/→ 1\. from afar \(steer\)\n +2\. at the end \(follow-up\)/);
  terminal.keys("Enter");
  await terminal.shows(/→ Take it back into the editor/);
  terminal.keys("Enter");
  await terminal.shows(/─\n ?from afar *\n─/);
  expect(terminal.screen()).not.toContain("queued (steer)");
  terminal.type("!");
  await terminal.shows(/─\n ?from afar! *\n─/);
  terminal.keys("Enter");
  await terminal.shows(/Steering: from afar!/);
  release();
  await terminal.shows(/Finished, not proven/);
  await terminal.hides(/queued \(/);
  expect(heard(open).map((text) => text.split("\n").at(-1))).toEqual(["go", "from afar!", "at the end"]);
});
