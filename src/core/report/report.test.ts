import { describe, expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { reportOf } from "../../../test/builders/report-of.ts";
import { aReceipt, type History, history } from "../../testing/index.ts";
import type { Envelope, Receipt, RunEvent } from "../run/index.ts";
import { htmlReport, markdownReport } from "./index.ts";

const check = { run: "npm test", by: "human" } as const;
const given = { birth: { checks: [check] } };
const report = (run: History) => reportOf(run.envelopes);
const standing = (run: History) => report(run).todos.map((todo) => todo.standing);
const passed = (more: Partial<Receipt> = {}) => aReceipt("run", "npm test", { workspace: "w1", ...more });

describe("how far an item is to be believed", () => {
  test.each<[string, string, () => History]>([
    ["nothing was done", "open", () => history().writes("a")],
    ["it is blocked", "blocked", () => history().writes("a").edits("block", 0)],
    ["it was given up", "abandoned", () => history().writes("a").edits("abandon", 0)],
    ["nothing checks it", "unproven", () => history().says().writes("a").works().completes(0)],
    ["no work was seen", "unseen", () => history().says().writes("a").completes(0)],
    [
      "the human said so",
      "confirmed",
      () =>
        history()
          .writes("a")
          .tell({ type: "todos.human_edit", edit: { action: "done", indices: [0] } }),
    ],
    [
      "the check of the run passed",
      "proven",
      () => history(given).says().writes("a").works().completes(0).checked(passed()).ends({ workspace: "w1" }),
    ],
    [
      "it passed, and then something changed",
      "unproven",
      () => history(given).says().writes("a").works().completes(0).checked(passed()).ends({ workspace: "w2" }),
    ],
    [
      "its own check passed",
      "proven",
      () =>
        history({ allowsCheck: () => true })
          .says()
          .writes({ text: "a", check: "make" })
          .works()
          .completes(0)
          .checked(aReceipt("t1", "make", { workspace: "w1" }))
          .ends({ workspace: "w1" }),
    ],
    [
      "the agent was seen to run its check",
      "observed",
      () =>
        history()
          .says()
          .writes({ text: "a", check: "make" })
          .works()
          .tell({ type: "call.seen", digest: "d", command: { line: "make", passed: true }, workspace: "w1" })
          .completes(0)
          .ends({ workspace: "w1" }),
    ],
    [
      "its check is suspect",
      "suspect",
      () =>
        history({ allowsCheck: () => true })
          .says()
          .writes({ text: "a", check: "make" })
          .works()
          .completes(0)
          .checked(aReceipt("t1", "make", { workspace: "w1", suspect: true, doubt: "test/a was changed" })),
    ],
  ])("%s: %s", (_what, expected, run) => expect(standing(run())).toEqual([expected]));
});

const story = (): History =>
  history({
    birth: {
      checks: [check],
      requirements: [
        { id: "R1", text: "fast" },
        { id: "R2", text: "small" },
      ],
      budget: { tokens: 5000 },
    },
  })
    .goal("make it fast")
    .writes({ text: "measure", covers: ["R1"] }, "guess")
    .says()
    .works()
    .after(2000)
    .ends({ workspace: "w1", usage: { input: 1000, output: 200, cacheRead: 5000, cacheWrite: 300, cost: 0.25 } })
    .nudged()
    .after(1000)
    .writes({ text: "measure", covers: ["R1"] })
    .works()
    .completes(0)
    .after(500)
    .ends({ workspace: "w2" });

test("a report tells the whole story", () => {
  const told = report(story());
  expect(told).toMatchObject({
    run: "run-1",
    goal: "make it fast",
    host: "test",
    done: 1,
    total: 1,
    standings: { unproven: 1 },
    dropped: ["guess"],
    requirements: [
      { id: "R1", coveredBy: [0] },
      { id: "R2", coveredBy: [] },
    ],
    checks: [{ command: "npm test", by: "human", result: "not run" }],
    doubts: ["the agent dropped 1 unfinished todo from the list"],
    spent: { tokens: 1500, cost: 0.25, continuations: 1 },
    budget: [{ name: "tokens", used: 1500, limit: 5000 }],
    nudges: 1,
  });
  expect(told.decisions.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
    "continue todo",
    "continue requirement",
  ]);
  expect(told.timeline.spans.map(({ lane, end }) => `${lane} ${end}`)).toEqual(["turns good", "turns good"]);
  expect(told.events.length).toBe(story().envelopes.length);
});

test("a finished run names its reason and its exit code; one that waits or works says so", () => {
  const done = history(given).says().writes("a").works().completes(0).checked(passed()).ends({ workspace: "w1" });
  expect(report(done)).toMatchObject({ status: "ended", verdict: { reason: "all_done", exit: 0 } });
  expect(report(history().writes("a"))).toMatchObject({ status: "live", verdict: { reason: "working" } });
  expect(report(history().writes("a").tell({ type: "human.clear" })).verdict.reason).toBe("cleared");
  expect(reportOf([])).toMatchObject({ run: "", total: 0, verdict: { reason: "working" } });
});

test("a report says what the page says: a hold, and that you are asked", () => {
  const working = () => history().says().writes("a").works();
  const approval = { call: "call-1", tool: "bash", what: "npm publish", because: "changes need approval", askedAt: 0 };
  const asks = working().tell({ type: "calls.journal", events: [{ type: "approval.requested", approval }] });
  expect(report(asks).verdict).toEqual({
    reason: "waiting_for_you",
    says: "Bash needs your approval.",
  });
  expect(report(working().tell({ type: "human.hold", now: false }))).toMatchObject({
    verdict: { reason: "held", exit: 5 },
  });
});

test("the report as text holds what matters", () => {
  const text = markdownReport(report(story()));
  for (const line of [
    "1 unproven",
    "| 0 | measure |",
    "**nothing**",
    "- guess",
    "budget of tokens: 1,500 of 5,000",
    "continue requirement",
  ])
    expect(text).toContain(line);
});

test("the page needs nothing from outside and draws the timeline", () => {
  const page = htmlReport(report(story()));
  expect(page).toContain("<svg ");
  expect(page).toContain("default-src 'none'");
  expect(page.match(/<(?:script|link|img|iframe|object)|https?:|url\(|@import/g)).toBeNull();
});

describe("whatever stands in a log", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
    fc.constantFrom(
      "<script>alert(1)</script>",
      '"><img src=x onerror=alert(1)>',
      "</title></style></details>",
      "| cut | the | table |\n| --- |",
      "``` `x` ```",
      "[click](javascript:alert(1)) ![x](http://evil)",
      "# heading\n- [ ] box",
      "&lt;b&gt; &#60;",
    ),
  );
  const OURS =
    /<\/?(?:!doctype|html|head|meta|title|style|body|h1|h2|p|ul|ol|li|i|b|div|pre|main|header|section|table|thead|tbody|tr|th|td|code|span|br|details|summary|svg|text|line|rect|circle)(?:\s[^<>]*)?>/g;

  function run(text: string, command: string, doubt: string): History {
    const told = history({
      birth: { checks: [{ run: command, by: "human" }], requirements: [{ id: text, text: doubt }] },
    }).goal(doubt);
    told
      .says()
      .tell({ type: "todos.write", write: { mode: "append", todos: [{ text: `x ${text}` }] }, by: "model" })
      .works();
    if (told.reply.type !== "done") return told;
    told.tell({ type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" });
    return told.run.ledger.verifying
      ? told
          .checked(aReceipt("run", command, { suspect: true, doubt, beside: [text] }))
          .after(10)
          .ends({ workspace: "w" })
      : told;
  }

  test("a page holds no element that is not ours", () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, (text, command, doubt) => {
        const page = htmlReport(report(run(text, command, doubt)));
        expect(page.replace(/<style>[^<]*<\/style>/, "").replace(OURS, "")).not.toMatch(/[<>]/);
      }),
      { numRuns: 200 },
    );
  });

  test("a text has our headings and our rows, and nothing that acts", () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, (text, command, doubt) => {
        const told = report(run(text, command, doubt));
        const lines = markdownReport(told).split("\n");
        for (const line of lines) expect(line).toMatch(/^$|^#{1,2} |^- |^\||^> |^[A-Z0-9]/);
        const prose = lines.join("\n").replace(/(`+) .*? \1/g, "");
        expect(prose).not.toMatch(/<[a-z/!]|\]\(|!\[/i);
      }),
      { numRuns: 200 },
    );
  });
});

test.each<[string, string, () => History]>([
  [
    "done",
    "done",
    () =>
      history(given).says().writes("a").after(1_000).works().completes(0).checked(passed()).ends({ workspace: "w1" }),
  ],
  ["yours to decide", "needs_you", () => history().says().writes("a").after(1_000).works().completes(0).ends()],
  ["failed", "failed", () => history().says().writes("a").after(1_000).fails("other")],
])("the last dot of the timeline has the colour of the verdict: %s", (_verdict, colour, run) => {
  const html = htmlReport(report(run()));
  expect(html).toContain(`<span class="badge ${colour}">`);
  const dots = [...html.matchAll(/<circle [^>]*class="(\w+)"><title>([^<]*)/g)].filter(([, , says]) =>
    says!.startsWith("stop "),
  );
  expect(dots.at(-1)?.[1]).toBe(colour);
});

describe("a long log", () => {
  const MANY = 60_000;
  function* long(...first: readonly (RunEvent & Pick<Envelope["event"], "from">)[]): Generator<Envelope> {
    const start = history().writes("a").envelopes;
    yield* start;
    let seq = start.length;
    const envelope = (event: Envelope["event"], by: Envelope["by"]): Envelope => ({
      seq: ++seq,
      at: seq,
      by,
      v: 1,
      event,
    });
    for (const event of first) yield envelope(event, event.type === "call.cut" ? "engine" : "human");
    const decision = { type: "wait", reason: "question", rule: "a question is open" } as const;
    for (let at = 0; at < MANY; at += 3) {
      yield envelope({ type: "turn.started", turn: `u${at}`, cause: "nudge" }, "host");
      yield envelope({ type: "turn.cut", turn: `u${at}`, boundary: `b${at}` }, "engine");
      yield envelope({ type: "decision.made", boundary: `b${at}`, decision }, "engine");
    }
  }
  const asked = (call: string, what = `touch ${call}`): RunEvent => ({
    type: "approval.requested",
    approval: { call, tool: "bash", what, because: "it asks", askedAt: 1, endsAt: 2 },
  });
  const answered = (call: string): RunEvent => ({ type: "approval.answered", call, outcome: "once", words: "" });

  test("shows what you were asked and said at its beginning", () => {
    const events = [
      asked("c1"),
      answered("c1"),
      { type: "budget.extended", budget: { tokens: 7 }, from: { via: "process" } },
      { type: "todo.removed", ids: ["t1"] },
      { type: "call.cut", call: "c2", tool: "bash", what: "make", effect: "unknown" },
    ] as const;
    const told = reportOf(long(...events));
    expect(told.approvals).toMatchObject([{ approval: { what: "touch c1" }, answer: "once" }]);
    expect(told.notAtTerminal.map(({ type }) => type)).toEqual(["budget.extended"]);
    expect(told.removed.map(({ text }) => text)).toEqual(["a"]);
    expect(told.cutOff).toHaveLength(1);
    expect(told.leftOut).toMatchObject({
      approvals: 0,
      notAtTerminal: 0,
      removed: 0,
      cutOff: 0,
      decisions: MANY / 3 - 2000,
    });
    expect(told.events.length + told.leftOut.events).toBe(
      MANY + events.length + history().writes("a").envelopes.length,
    );
    expect(told.timeline.spans).toHaveLength(1000);
    expect(markdownReport(told)).toContain("touch c1");
    expect(htmlReport(told)).toContain("touch c1");
  });

  test.each([
    ["1 earlier approval is left out", Array.from({ length: 2001 }, (_, at) => asked(`c${at}`))],
    [
      "37 earlier approvals are left out",
      Array.from({ length: 100 }, (_, at) => asked(`c${at}`, "x".repeat(63_000))).flatMap((each, at) => [
        each,
        answered(`c${at}`),
      ]),
    ],
    [
      "3 earlier messages are left out",
      Array.from({ length: 2003 }, () => ({ type: "human.unheld", from: { via: "process" } }) as const),
    ],
    [
      "1 earlier todo is left out",
      Array.from({ length: 2001 }, () => ({ type: "todo.removed", ids: ["t9"] }) as const),
    ],
  ])("says what it has no room for: %s", (says, events) => {
    const told = reportOf(long(...(events as RunEvent[])));
    expect(markdownReport(told)).toContain(says);
    expect(htmlReport(told)).toContain(says);
  });
});
