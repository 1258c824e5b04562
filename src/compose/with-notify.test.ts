import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FINISHED, STOP, type StopReason, stopRow, waitRow } from "../core/reason/index.ts";
import type { Host, Notice } from "../engine/index.ts";
import { aRun, HOST_KINDS } from "../testing/index.ts";
import { openTildone } from "./open-tildone.ts";
import { withNotify } from "./with-notify.ts";

test("the user's command learns of a stop by variables, and hostile words stay words", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tildone-notify-"));
  const file = join(folder, "news");
  const shown: Notice[] = [];
  const host = { name: "test", show: (_session: string, notice: Notice) => shown.push(notice) } as unknown as Host;
  const run = aRun({
    decision: { type: "stop", rule: "blocked", reason: "blocked", detail: '$(touch owned) `x` "; rm -rf ~' },
  });
  const command = `printf '%s|%s|%s' "$TILDONE_NEWS" "$TILDONE_REASON" "$TILDONE_TEXT" > '${file}.part' && mv '${file}.part' '${file}'`;
  withNotify(host, command, { PATH: process.env.PATH }).show("s", { type: "stopped", reason: "blocked", run });
  expect(shown).toHaveLength(1);
  await expect.poll(() => read(file), { timeout: 60_000 }).toContain("needs_you|blocked|");
  expect(read(file)).toContain("$(touch owned)");
  rmSync(folder, { recursive: true, force: true });
});

test.each<[StopReason, string]>([
  ["all_done", "done"],
  ["done_unproven", "done"],
  ["question", "needs_you"],
  ["no_progress", "stopped"],
  ["budget_tokens", "stopped"],
  ["provider_error", "stopped"],
])("%s is news: %s", (reason, news) => expect(stopRow(reason).news).toBe(news));

test("only a run that is over is done, and what waits for you says so", () => {
  expect(Object.keys(STOP).filter((reason) => stopRow(reason).news === "done")).toEqual(FINISHED);
  expect(FINISHED).toEqual(["all_done", "done_unproven", "done_accepted"]);
  expect([waitRow("approval").news, waitRow("question").news]).toEqual(["needs_you", "needs_you"]);
});

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

test("it also learns of a question that the agent asks in the middle of its work, once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tildone-notify-"));
  const file = join(folder, "news");
  const command = `echo "$TILDONE_REASON: $TILDONE_TEXT" >> '${file}'`;
  writeFileSync(join(folder, "config.yaml"), `notify: ${JSON.stringify(command)}\n`);
  const opened = await openTildone({
    host: {
      name: "test",
      capabilities: HOST_KINDS.terminal,
      nudge: later,
      deliver: later,
      show: () => {},
      endTurn: () => {},
    },
    cwd: folder,
    env: { PATH: process.env.PATH, TILDONE_HOME: folder },
    home: folder,
  });
  if (!opened.ok) throw new Error(opened.problems.join());
  const { engine, dispose } = opened.tildone;
  await engine.tell("s", { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await engine.tell("s", { type: "turn.started", turn: "t1" });
  await engine.tell("s", { type: "question.opened", id: "q1", text: "Tabs or spaces?" });
  await expect.poll(() => read(file), { timeout: 60_000 }).toMatch(/^question: .*Tabs or spaces\?\n$/);
  dispose();
  rmSync(folder, { recursive: true, force: true });
});

const later = () => Promise.resolve();
