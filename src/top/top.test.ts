import { describe, expect, test } from "vitest";
import fc from "../../test/builders/properties.ts";
import { width } from "../core/text/index.ts";
import { type Ask, viewOf } from "../core/view/index.ts";
import type { RunCard } from "../engine/index.ts";
import { aRun, todos } from "../testing/index.ts";
import { draw } from "./draw.ts";
import { type Pressed, pressKey } from "./press-key.ts";
import type { Screen } from "./screen.ts";
import { FIRST, type Listed, type TopData, type TopState } from "./top-state.ts";

const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
const fit = (text: string, columns: number): string => {
  let line = plain(text);
  while (width(line) > columns) line = line.slice(0, -1).toWellFormed();
  return line;
};
const aScreen = (columns = 80, rows = 24): Screen => ({
  ...{ columns, rows, now: 0, clip: fit },
  style: { role: (_role, text) => text, strong: (text) => text, struck: (text) => text },
  wrap: (text, room) => plain(text).match(new RegExp(`.{1,${Math.max(1, room)}}`, "gu")) ?? [],
});

const listed = (run: string, given: Partial<Listed> = {}): Listed => ({
  ...{ run, goal: `goal of ${run}`, place: "/work", word: "working", count: "1/3", asks: 0, tone: "good" },
  ...given,
});
const anAsk = (what: string, given: Partial<Ask> = {}): Ask => ({
  ...{ type: "approval", id: "d1", shows: "command", otherwise: "", says: "bash needs your approval", what },
  answers: [],
  ...given,
});
function dataOf(runs: readonly Listed[], asks: readonly Ask[] = [], given: object = {}): TopData {
  const run = {
    ...aRun({ todos: todos("completed", "in_progress", "not_started"), ...given } as never),
    id: runs[0]?.run ?? "",
  };
  const seen = { now: 0 };
  const card = { run: runs[0]?.run ?? "", cwd: "/work" } as RunCard;
  const read = { card, run, seq: 0, seen, view: { ...viewOf(run, seen), asks } };
  return { runs, hidden: 0, ...(runs.length > 0 && { chosen: { read, decisions: ["12:00 Agent stopped."] } }) };
}

const pressing = (keys: readonly string[], data: TopData, screen = aScreen(), state: TopState = FIRST): Pressed =>
  keys.reduce<Pressed>((pressed, key) => pressKey(pressed.state, data, key, key.length === 1 ? key : "", screen), {
    state,
  });

describe("keys", () => {
  const data = dataOf([listed("r1"), listed("r2", { goal: "fix the parser" })]);

  test("act on the run that is chosen", () => {
    expect(pressing(["h"], data).act).toEqual({ type: "hold", run: "r1" });
    expect(pressing(["down", "u"], data).act).toEqual({ type: "unhold", run: "r2" });
    expect(pressing(["q"], data).act).toEqual({ type: "quit" });
    expect(pressing(["h"], dataOf([])).act).toBeUndefined();
  });

  test("s writes a message to it; Esc takes it back", () => {
    const { act } = pressing(["s", ..."use tabs", "backspace", "s", "enter"], data);
    expect(act).toEqual({ type: "say", run: "r1", text: "use tabs" });
    expect(pressing(["s", "x", "escape"], data)).toMatchObject({ state: { mode: { type: "runs" } } });
    expect(pressing(["s", " ", "enter"], data).act).toBeUndefined();
  });

  test("/ searches, and keys act on what was found", () => {
    expect(pressing(["/", ..."pars", "enter", "h"], data).act).toEqual({ type: "hold", run: "r2" });
    expect(pressing(["/", ..."pars", "escape"], data).state.search).toBe("");
    const { state } = pressing(["/", ..."pars"], data);
    expect(draw(state, data, aScreen()).at(-1)).toBe("Enter keep  Esc clear");
  });

  test("q and h are letters while you write", () =>
    expect(pressing(["s", "q", "h", "enter"], data).act).toEqual({ type: "say", run: "r1", text: "qh" }));
});

describe("an answer", () => {
  const ask = (what: string, given?: Partial<Ask>) => dataOf([listed("r1", { asks: 1 })], [anAsk(what, given)]);

  test("y approves this call once, n denies it with what you write", () => {
    expect(pressing(["a", "y"], ask("npm publish")).act).toEqual({
      type: "approve",
      run: "r1",
      call: "d1",
      how: "once",
    });
    expect(pressing(["a", "n", "n", "o", "enter"], ask("ls")).act).toEqual({
      ...{ type: "deny", run: "r1", call: "d1" },
      words: "no",
    });
    expect(pressing(["a", "A"], ask("ls")).act).toBeUndefined();
    expect(pressing(["a", "A"], ask("ls", { always: "ls" })).act).toMatchObject({ how: "always_rule" });
  });

  test.each([
    [80, 24],
    [60, 20],
  ])("at %ix%i says how much of it is shown, also where its reason takes two lines", (columns, rows) => {
    const because = "a rule of yours that is long enough to need a second line on a screen of eighty columns or less";
    const what = Array.from({ length: 40 }, (_, row) => `echo ${row}`).join("\n");
    const data = ask(what, { because, endsAt: 60_000 });
    const screen = aScreen(columns, rows);
    const shown = (keys: readonly string[]) => draw(pressing(keys, data, screen).state, data, screen).join("\n");
    expect(shown(["a"])).toMatch(/Rows 1-\d+ of 40; ↓ shows more\./);
    expect(shown(["a", "end"])).toMatch(/Rows \d+-40 of 40: the end\./);
  });

  test("colours a change by line, and a command not at all", () => {
    const style = { role: (role: string, text: string) => `<${role}>${text}`, strong: plain, struck: plain };
    const screen = { ...aScreen(), style };
    const body = (what: string, shows: Ask["shows"]) => {
      const data = ask(what, { shows });
      return draw(pressing(["a"], data, screen).state, data, screen).join("\n");
    };
    const change = body("--- a\n+++ a\n@@ -1 +1 @@\n-old\n+new\n same", "diff");
    for (const line of ["<dim>--- a", "<accent>@@ -1", "<error>-old", "<success>+new", "<text> same"])
      expect(change).toContain(line);
    expect(body("+x\n-y", "command")).toContain("<text>+x");
  });

  test("what waits is named in the list's pane, a change by its file", () => {
    const pane = (what: string, shows: Ask["shows"]) => draw(FIRST, ask(what, { shows }), aScreen()).join("\n");
    expect(pane("--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new", "diff")).toMatch(/a\.ts \(\+1 -1\)/);
    expect(pane("npm publish", "command")).toMatch(/ {2}npm publish/);
    expect(pane("npm publish", "command")).toContain("a shows all of it.");
  });

  test("cannot be yes before all of it was on the screen", () => {
    const long = ask(Array.from({ length: 100 }, (_, row) => `echo ${row}`).join("\n"));
    const early = pressing(["a", "y"], long);
    expect(early.act).toBeUndefined();
    expect(early.state.notice).toContain("Read all of it first");
    expect(pressing(["a", "pageDown", "y"], long).act).toBeUndefined();
    expect(pressing(["a", "end", "y"], long).act).toBeUndefined(); // the middle was skipped
    expect(pressing(["a", ...Array(10).fill("pageDown"), "y"], long).act).toMatchObject({ type: "approve" });
  });

  test("to another run's call takes you there first", () => {
    const data = dataOf([listed("r1"), listed("r2", { asks: 1 })]);
    expect(pressing(["a"], data).state).toMatchObject({
      selected: "r2",
      notice: expect.stringContaining("press a again"),
    });
    expect(pressing(["a"], dataOf([listed("r1")])).state.notice).toBe("Nothing waits for your answer.");
  });

  test("to a question says where it is answered", () => {
    const question = { type: "question", id: undefined as never, answers: [{ word: "answer", how: "in pi" }] } as const;
    expect(pressing(["a", "y"], ask("Tabs?", question)).state.notice).toBe("Answer it in pi.");
  });
});

test("every screen has as many rows as the terminal, and none is wider, whatever stands in a run", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.constant("字".repeat(90)),
    fc.constant("\u001b[2J\n\tx"),
  );
  const keys = fc.array(fc.constantFrom("up", "down", "a", "y", "n", "s", "/", "x", "enter", "escape", "end"), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      text,
      text,
      keys,
      fc.integer({ min: 40, max: 160 }),
      fc.integer({ min: 12, max: 50 }),
      (goal, what, pressed, columns, rows) => {
        const screen = aScreen(columns, rows);
        const data = dataOf([listed("r1", { goal, asks: 1 }), listed("r2", { goal: what })], [anAsk(what)], { goal });
        const lines = draw(pressing(pressed, data, screen).state, data, screen);
        expect(lines).toHaveLength(rows);
        for (const line of lines) {
          expect(width(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      },
    ),
    { numRuns: 600 },
  );
});

test("a thousand runs are drawn around the one that is chosen", () => {
  const runs = Array.from({ length: 1_000 }, (_, at) => listed(`r${at}`));
  const shown = (keys: readonly string[]) =>
    draw(pressing(keys, dataOf(runs)).state, dataOf(runs), aScreen()).join("\n");
  expect(shown([])).toContain("▸r0 ");
  expect(shown(["end"])).toContain("▸r999 ");
  expect(shown(["end", "pageUp"])).toContain("▸r989 ");
});

test("that the fleet is away is said above and below, and a notice of yours comes first", () => {
  const away = "The database cannot be reached.";
  const shown = (given: Partial<TopState> = {}) => draw({ ...FIRST, ...given }, { ...dataOf([]), away }, aScreen());
  expect(shown()[0]).toContain("runs of the fleet may be missing or old");
  expect(shown().at(-2)).toContain(away);
  expect(shown({ notice: "On hold." }).at(-2)).toContain("On hold.");
});
