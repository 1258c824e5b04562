import { expect, test } from "vitest";
import { listWidget } from "../src/agent/terminal/list-widget.ts";
import { showRun } from "../src/cli/show-run.ts";
import { listText, statusText } from "../src/core/command/index.ts";
import { htmlReport, markdownReport } from "../src/core/report/index.ts";
import type { Receipt, Run } from "../src/core/run/index.ts";
import { plainList } from "../src/core/todo/index.ts";
import { type RunView, shortState, viewOf } from "../src/core/view/index.ts";
import { editedText, nudgeText, wholeContext, writtenText } from "../src/core/words/index.ts";
import { cardOf, summaryOf } from "../src/engine/index.ts";
import { TodosView } from "../src/hosts/pi/todos-view.ts";
import { paintedList, shownTodos } from "../src/hosts/pi/tools/render.ts";
import { aReceipt, type History, history } from "../src/testing/index.ts";
import fc from "./builders/properties.ts";
import { reportOf } from "./builders/report-of.ts";

const SIZE = 4;
const NOW = 10_000;
/** A check of the run that fails adds an item. */
const MOST = 15;
const COMMANDS = ["make", "npm test"] as const;
const theme = {
  fg: (_role: string, text: string) => text,
  bold: (text: string) => text,
  strikethrough: (text: string) => text,
};

/** What may happen to a list: by the agent, by you, by checks; in any order. */
const index = fc.nat(SIZE - 1);
const act = fc.oneof(
  index.map((at) => (it: History) => it.starts(at)),
  index.map((at) => (it: History) => it.works().completes(at)),
  index.map((at) => (it: History) => it.completes(at)),
  index.map((at) => (it: History) => seesCheck(it).completes(at).ends({ workspace: "w1" })),
  index.map((at) => (it: History) => it.edits("block", at)),
  index.map((at) => (it: History) => it.edits("abandon", at)),
  fc.tuple(index, fc.constantFrom("done", "reopen", "unblock")).map(
    ([at, action]) =>
      (it: History) =>
        it.tell({ type: "todos.human_edit", edit: { action, indices: [at] } }),
  ),
  fc
    .record({
      status: fc.constantFrom<Receipt["status"]>("passed", "failed", "timed_out"),
      suspect: fc.boolean(),
      workspace: fc.constantFrom("w1", "w2"),
    })
    .map((given) => (it: History) => checked(it, given)),
  fc.constantFrom<(it: History) => History>(
    (it) => it.says(),
    (it) => it.works(),
    (it) => it.ends({ workspace: "w1" }),
    (it) => it.ends({ workspace: "w2" }),
    (it) => it.holds(),
    (it) => it.unholds(),
    (it) => it.tell({ type: "human.accept" }),
  ),
);
const lives = fc.record({
  acts: fc.array(act, { maxLength: 25 }),
  owned: fc.array(fc.constantFrom(undefined, ...COMMANDS), { minLength: SIZE, maxLength: SIZE }),
  mayRun: fc.boolean(),
  hasRunCheck: fc.boolean(),
});

const seesCheck = (it: History): History =>
  it.tell({ type: "call.seen", digest: "seen", command: { line: "make", passed: true }, workspace: "w1" });

function checked(it: History, given: Partial<Receipt>): History {
  const { verifying } = it.run.ledger;
  if (!verifying) return it;
  const owners = ["run", ...it.run.plan.todos.map(({ id }) => id)];
  return it.checked(...owners.flatMap((owner) => COMMANDS.map((command) => aReceipt(owner, command, given))));
}

function live({ acts, owned, mayRun, hasRunCheck }: typeof lives extends fc.Arbitrary<infer T> ? T : never): History {
  const it = history({
    allowsCheck: () => mayRun,
    birth: { checks: hasRunCheck ? [{ run: "npm test", by: "human" }] : [] },
  });
  it.says().writes(...owned.map((check, at) => ({ text: `item ${at}`, ...(check && { check }) })));
  for (const does of acts) does(it);
  return it;
}

/** `● [1] …` anywhere in a text: which item is drawn with which glyph. */
const glyphsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(?:^|\n)[› ]*(\S) \[(\d+)\] /g)].map(([, glyph, at]) => [at, glyph]));
const countIn = (text: string): string | undefined => /\d+\/\d+ done(?: · \d+ proven)?/.exec(text)?.[0];

/** Every screen that shows the whole list. */
const WHOLE: Record<string, (run: Run, view: RunView) => string> = {
  status: (_run, view) => showRun({ view, seen: { now: NOW } }, { columns: 200, hasColour: false }),
  todo: (_run, view) => plainList(view.todos),
  "/todos": (run) => listText(run),
  "pi's list": (_run, view) =>
    new TodosView({ view: () => view, tell: async () => ({ type: "done" }), theme, redraw() {}, close() {} } as never)
      .render(200)
      .join("\n"),
  "pi's tools": (_run, view) => paintedList(shownTodos(view.todos), theme),
  "answer to write_todos": (run) => writtenText(run, { mode: "replace", todos: [] }),
  "answer to edit_todos": (run) => editedText(run, { action: "start", indices: [0] }),
};

/** Those that show what is open. */
const OPEN: Record<string, (run: Run) => string> = {
  nudge: (run) => nudgeText(run, "wind_down"),
  context: (run) => wholeContext(run),
  "terminal list": (run) => (listWidget(run, MOST) ?? []).join("\n"),
};

test("every screen and every text draws the same glyph, standing and count", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(lives, (given) => {
      const { run, envelopes } = live(given);
      const view = viewOf(run, { now: NOW });
      const glyphs = Object.fromEntries(view.todos.map((todo) => [todo.index, todo.glyph]));
      const open = Object.fromEntries(
        view.todos
          .filter(({ status }) => status !== "completed" && status !== "abandoned")
          .map((todo) => [todo.index, todo.glyph]),
      );
      for (const { standing } of view.todos) seen.add(standing);

      for (const [screen, draw] of Object.entries(WHOLE))
        expect({ screen, glyphs: glyphsIn(draw(run, view)) }).toEqual({ screen, glyphs });
      for (const [screen, draw] of Object.entries(OPEN))
        expect({ screen, glyphs: glyphsIn(draw(run)) }).toEqual({
          screen,
          glyphs: screen === "terminal list" && run.status !== "live" ? {} : open,
        });
      for (const [screen, text] of [
        ["status", WHOLE.status!(run, view)],
        ["pi's list", WHOLE["pi's list"]!(run, view)],
        ["/tildone", statusText(run)],
        ["report", markdownReport(reportOf(envelopes))],
        ["report, HTML", htmlReport(reportOf(envelopes))],
        ...(run.status === "live" ? [["pi's status line", shortState(run)!] as const] : []),
        ...(listWidget(run, MOST) ? [["terminal list", listWidget(run, MOST)!.join("\n")] as const] : []),
      ] as const)
        expect({ screen, count: countIn(text) }).toEqual({ screen, count: view.count.text });
      const { done, total, remaining, proven } = view.count;
      expect(nudgeText(run, "todo")).toContain(`${done}/${total} done, ${remaining} remaining`);
      expect(summaryOf(cardOf(run, NOW))).toMatchObject({ done, total, proven });

      const report = reportOf(envelopes);
      expect(report.todos.map(({ standing, glyph }) => ({ standing, glyph }))).toEqual(
        view.todos.map(({ standing, glyph }) => ({ standing, glyph })),
      );
      for (const { glyph, standing, text } of report.todos) {
        expect(markdownReport(report)).toContain(`| ${text} | ${glyph} ${standing}`);
        expect(htmlReport(report)).toContain(`${glyph} ${standing}</span>`);
      }
    }),
    { numRuns: 150, seed: 18 },
  );
  expect([...seen].sort()).toEqual([
    "abandoned",
    "blocked",
    "confirmed",
    "failed",
    "observed",
    "open",
    "proven",
    "suspect",
    "unproven",
    "unseen",
    "working",
  ]);
});
