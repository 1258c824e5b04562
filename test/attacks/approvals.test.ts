import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApprovalDialog } from "../../src/agent/terminal/approval-dialog.ts";
import { askLines, bodyLines } from "../../src/cli/show-asks.ts";
import { terminalSafe } from "../../src/cli/terminal-safe.ts";
import type { Approval, CallEvent } from "../../src/core/call/index.ts";
import { htmlReport, markdownReport } from "../../src/core/report/index.ts";
import { type Envelope, eventText } from "../../src/core/run/index.ts";
import { redact, redactShown } from "../../src/core/secret/index.ts";
import { asksOf } from "../../src/core/view/index.ts";
import type { Scheduler, Tool } from "../../src/scheduler/index.ts";
import { aRun } from "../../src/testing/index.ts";
import { exactText } from "../builders/exact-text.ts";
import fc from "../builders/properties.ts";
import { reportOf } from "../builders/report-of.ts";
import { aScheduler, request } from "../builders/scheduler.ts";
import { piTools } from "./pi-tools.ts";

const HARMLESS = "echo harmless";
const TAIL = "; touch x";
/** What a command is put together from that wants to look like another one. */
const PIECES = [
  ...[
    HARMLESS,
    "touch x",
    "rm -rf ~",
    "git push",
    "&&",
    ";",
    "|",
    "$(",
    ")",
    "`",
    "'",
    '"',
    "\\",
    "#",
    " ",
    "a",
    "é",
    "字",
  ],
  ...["\n", "\r", "\t", "\r\n", "\v", "\f", "\0", "\b", "\u007f", "\u0085", "\u2028", "\u2029"],
  ...["\u001b[2K\u001b[1A", "\u001b[8m", "\u001b]0;x\u0007", "\u009b2J", "\u001bc"],
  ...["\u202e", "\u202d", "\u2066", "\u2069", "\u200e", "\u061c"],
  ...["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\ufe0f", "\u{e0041}", "\u2800", "\u3164", "\u034f"],
  ...["\u00a0", "\u2003", "\u3000", "\u1680", "\ud800", "\udfff", "\ue000", "\u0301", "👩‍💻", "⏎", "⇥", "…", "\\u000a"],
  ...[" ".repeat(330), "\n".repeat(60), "x".repeat(330), "# comment\n".repeat(30), "\\\n"],
];
const command = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 4 })), {
    minLength: 1,
    maxLength: 40,
  })
  .map((pieces) => pieces.join(""))
  .filter((text) => Buffer.byteLength(text) <= 60_000);

const ioOf = (columns: number) => ({ columns, hasColour: false });
const shownBelow = (lines: readonly string[]) => exactText(lines.map((line) => line.slice(4)).join(""));

/** A shell that only notes what it was given. */
function aShell() {
  const ran: string[] = [];
  const tool: Tool = {
    name: "bash",
    kind: "execute",
    command: (args) => (args as { command: string }).command,
    run: (args) => void ran.push((args as { command: string }).command),
  };
  return { ran, tool };
}

const asks = (journal: readonly CallEvent[]) =>
  journal.flatMap((event) => (event.type === "approval.requested" ? [event.approval] : []));
const answers = (journal: readonly CallEvent[]) => journal.filter((event) => event.type === "approval.answered");
const intents = (journal: readonly CallEvent[]) => journal.filter((event) => event.type === "call.intended");

describe("what you approve is what you saw", () => {
  test("3,000 commands: all of each is recorded and on every screen, and exactly it runs", async () => {
    const { ran, tool } = aShell();
    const { scheduler, clock, journal } = aScheduler({ tools: [tool], isUnobserved: true });
    const commands = fc.sample(command, { numRuns: 3_000, seed: 17 });
    for (const [index, given] of commands.entries()) {
      journal.length = 0;
      const id = `c${index}`;
      const done = scheduler.schedule([request(id, "bash", { args: { command: given } })]);
      await clock.settle();
      const [approval] = asks(journal);
      expect(approval?.what).toBe(given);
      onEveryScreen(approval!, given);
      expect(scheduler.approve(id)).toEqual({ ok: true });
      await done;
      expect(ran.at(-1)).toBe(given);
      const digest = digestOf("bash", { command: given });
      expect([approval!.digest, answers(journal)[0]?.digest, intents(journal)[0]?.digest]).toEqual([
        digest,
        digest,
        digest,
      ]);
    }
    expect(ran.length).toBe(commands.length);
  });

  test("a long tail and a second line are seen where the text is folded, and how to see the rest", () => {
    const long = `${HARMLESS}\n${"# nothing here\n".repeat(500)}${TAIL}`;
    const lines = askLines(asksOf(aRun({ approvals: [anApproval(long)] })), ioOf(80), 0);
    expect(lines.length).toBeLessThan(60);
    expect(lines).toContain(`    ${HARMLESS}⏎`);
    expect(lines).toContain(`    ${TAIL}`);
    expect(lines.join("\n")).toMatch(/… 4\d\d lines are not shown; all of it: tildone approvals run-1 --show 0{12}$/m);
    expect(eventText({ type: "approval.requested", approval: anApproval(long) }, aRun())).toMatch(
      /^asks for approval: echo harmless⏎# nothing.* … \d+ more characters … .*⏎; touch x$/,
    );
  });

  test("a text of more than 64 KiB is refused and says so; one of 64 KiB is asked about", async () => {
    const { ran, tool } = aShell();
    const { scheduler, clock, journal } = aScheduler({ tools: [tool] });
    const [refused] = await scheduler.schedule([
      request("a", "bash", { args: { command: `:${"é".repeat(32 * 1024)}` } }),
    ]);
    expect(refused).toMatchObject({ status: "error", code: "too_long", effect: "none" });
    expect(refused).toHaveProperty("message", expect.stringContaining("at most 64 KiB can be approved"));
    void scheduler.schedule([request("b", "bash", { args: { command: "é".repeat(32 * 1024) } })]);
    await clock.settle();
    expect(asks(journal)).toHaveLength(1);
    expect(ran).toEqual([]);
    await scheduler.dispose();
  });

  test("arguments that change after the answer do not run", async () => {
    const { ran, tool } = aShell();
    const { scheduler, clock } = aScheduler({ tools: [tool] });
    const args = { command: HARMLESS };
    const done = scheduler.schedule([request("a", "bash", { args })]);
    await clock.settle();
    args.command = "touch x";
    scheduler.approve("a");
    const [settled] = await done;
    expect(settled).toMatchObject({ status: "error", code: "changed", effect: "none" });
    expect(ran).toEqual([]);
  });

  test("an answer to another question of the same call is none", async () => {
    const { ran, tool } = aShell();
    const { scheduler, clock } = aScheduler({ tools: [tool] });
    const done = scheduler.schedule([request("a", "bash", { args: { command: "touch x" } })]);
    await clock.settle();
    scheduler.learn({ call: "a", outcome: "once", words: "", digest: digestOf("bash", { command: HARMLESS }) });
    await clock.settle();
    expect(ran).toEqual([]);
    scheduler.learn({ call: "a", outcome: "once", words: "", digest: digestOf("bash", { command: "touch x" }) });
    await done;
    expect(ran).toEqual(["touch x"]);
  });

  test("of edited arguments the new text is recorded, bound and run", async () => {
    const { ran, tool } = aShell();
    const { scheduler, clock, journal } = aScheduler({ tools: [tool] });
    for (const [index, given] of fc.sample(command, { numRuns: 300, seed: 8 }).entries()) {
      journal.length = 0;
      const done = scheduler.schedule([request(`e${index}`, "bash", { args: { command: HARMLESS } })]);
      await clock.settle();
      scheduler.approve(`e${index}`, { type: "edited", args: { command: given } });
      await done;
      expect(ran.at(-1)).toBe(given);
      const digest = digestOf("bash", { command: given });
      expect(answers(journal)).toMatchObject([{ outcome: "edited", what: given, digest }]);
      expect(intents(journal)).toMatchObject([{ digest }]);
    }
  });

  test("a command that hides in what looks like a secret is recorded whole", async () => {
    const { tool } = aShell();
    const { scheduler, clock, journal } = aScheduler({ tools: [tool], redact: (text) => redact(text) });
    const hidden = 'DB_PASS="x; $(touch x)" true';
    expect(redact(hidden)).not.toContain("touch");
    void scheduler.schedule([request("a", "bash", { args: { command: hidden } })]);
    await clock.settle();
    expect(asks(journal).map(({ what }) => what)).toEqual([hidden]);
    await scheduler.dispose();
  });

  test("a secret is hidden only where nothing could run in its place", () => {
    const shown = (text: string) => redactShown(text, (each) => redact(each, [{ name: "MY_KEY", value: "a b;c" }]));
    expect(shown("curl -H 'Authorization: Bearer abcdefghijklmnop1234'")).not.toContain("abcdefghijklmnop1234");
    expect(shown("login 'a b;c'")).toBe("login '[redacted MY_KEY]'");
    for (const active of [
      'DB_PASS="x$(touch x)"',
      "API_TOKEN=a1&touch$IFS",
      "-----BEGIN PRIVATE KEY-----\ntouch x\n-----END PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----\nreboot\n-----END PRIVATE KEY-----",
      "curl -H 'Cookie: a=b; $(touch x)'",
      'MY_SECRET="`touch x`" true [redacted]',
    ])
      expect(shown(active)).toBe(active);
    const key = `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\nBBBB\n-----END PRIVATE KEY-----`;
    expect(shown(key)).not.toContain("A".repeat(64));
    fc.assert(
      fc.property(command, fc.constantFrom("API_TOKEN=", 'DB_PASS="', "--password "), (text, before) => {
        const whole = `${before}${text}`;
        const kept = shown(whole).replace(/\[redacted[^\]]*\]/g, "");
        for (const active of ["$(", "`", ";", "|", "\n"])
          expect(kept.split(active).length).toBe(whole.split(active).length);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("what an edit would change is shown as it will be", () => {
  let cwd: string;
  beforeEach(() => {
    cwd = realpathSync(mkdtempSync(join(tmpdir(), "approve-")));
    writeFileSync(join(cwd, "a.txt"), "one\ntwo\nthree\n");
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  const edit = { path: "a.txt", edits: [{ oldText: "two", newText: "2\u202e" }] };
  const isAsked = async (journal: readonly CallEvent[], count = 1) =>
    expect.poll(() => asks(journal).length, { timeout: 20_000 }).toBe(count);

  test("as a unified diff, of pi's own edit and write", async () => {
    const { scheduler, journal, call } = piTools(cwd, "ask", [], true);
    const done = [call("edit", edit), call("write", { path: "new.txt", content: "hidden\u200b\n" })];
    await isAsked(journal, 2);
    const [edited, written] = ["a.txt", "new.txt"].map((name) => asks(journal).find(({ what }) => what.includes(name)));
    expect(edited?.what).toMatch(/^--- a\.txt.*\n\+\+\+ a\.txt.*\n@@ -1,3 \+1,3 @@\n one\n-two\n\+2\u202e\n three\n$/m);
    expect(written?.what).toContain("\n+hidden\u200b\n");
    expect(written?.what).toContain("new.txt (new file)");
    scheduler.approve("c1");
    scheduler.approve("c2");
    expect((await Promise.all(done)).map(({ status }) => status)).toEqual(["success", "success"]);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n2\u202e\nthree\n");
  });

  test.each<[string, unknown]>([
    ["edit", edit],
    ["write", { path: "a.txt", content: "all new\n" }],
  ])("%s does not run when the file is another one by then", async (tool, args) => {
    const { scheduler, journal, call } = piTools(cwd, "ask", [], true);
    const done = call(tool, args);
    await isAsked(journal);
    writeFileSync(join(cwd, "a.txt"), "one, and more\ntwo\nthree\n");
    scheduler.approve("c1");
    expect(await done).toMatchObject({ status: "error", code: "changed" });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one, and more\ntwo\nthree\n");
  });

  test("a change far away in the same file is no other question", async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
    writeFileSync(join(cwd, "a.txt"), lines);
    const { scheduler, journal, call } = piTools(cwd, "ask", [], true);
    const done = [3, 30].map((at) =>
      call("edit", { path: "a.txt", edits: [{ oldText: `line ${at}\n`, newText: `changed ${at}\nmore\n` }] }),
    );
    await isAsked(journal, 2);
    scheduler.approve("c1");
    scheduler.approve("c2");
    expect((await Promise.all(done)).map(({ status }) => status)).toEqual(["success", "success"]);
  });

  test("what cannot be shown is asked about with all of its arguments", async () => {
    const { scheduler, journal, call } = piTools(cwd, "ask", [], true);
    void call("edit", { path: "a.txt", edits: [{ oldText: "not there", newText: "x" }] });
    await isAsked(journal);
    expect(asks(journal)[0]!.what).toContain('"oldText": "not there"');
    expect(asks(journal)[0]!.what).toContain("What would change cannot be shown");
    await scheduler.dispose();
  });

  test("a real shell runs what was shown, also over many lines", async () => {
    const { scheduler, journal, call } = piTools(cwd, "ask", [], true);
    const text = `${HARMLESS}\n${"# \n".repeat(40)}\tprintf '\u202e%s' "$((1+1))" > out.txt`;
    const done = call("bash", { command: text });
    await isAsked(journal);
    const lines = bodyLines(
      { type: "approval", shows: "command", otherwise: "", says: "", what: asks(journal)[0]!.what, answers: [] },
      ioOf(80),
      0,
      999,
    );
    expect(shownBelow(lines)).toBe(text);
    expect(existsSync(join(cwd, "out.txt"))).toBe(false);
    scheduler.approve("c1");
    expect(((await done) as { message?: string }).message).toBeUndefined();
    expect(readFileSync(join(cwd, "out.txt"), "utf8")).toBe("\u202e2");
  });
});

/** The digest that binds an approval of a call without a preview. */
const digestOf = (tool: string, args: object): string =>
  createHash("sha256")
    .update(JSON.stringify([tool, JSON.stringify(args), ""]))
    .digest("hex");

function anApproval(what: string): Approval {
  return { call: "c", tool: "bash", what, digest: "0".repeat(64), because: "rule", askedAt: 0, endsAt: 9e9 };
}

function onEveryScreen(approval: Approval, given: string): void {
  const [ask] = asksOf(aRun({ approvals: [approval] }));
  expect(ask?.what).toBe(given);
  const lines = bodyLines({ ...ask!, because: undefined as never }, ioOf(80), 0, Number.MAX_SAFE_INTEGER);
  expect(shownBelow(lines)).toBe(given);
  // The one way to the terminal changes nothing any more.
  expect(lines.map(terminalSafe)).toEqual(lines);
  const envelopes = [
    { seq: 1, at: 0, by: "engine", v: 1, event: { type: "approval.requested", approval } },
  ] as Envelope[];
  const report = reportOf(envelopes);
  expect(report.approvals[0]!.approval.what).toBe(given);
  if (given.length > 500) return; // the reports fold long ones
  const [, rows = ""] = /\n(`{3,})text\n([\s\S]*?)\n\1/.exec(markdownReport(report))?.slice(1) ?? [];
  expect(exactText(rows)).toBe(given);
  const page =
    /<pre class="code" dir="ltr" tabindex="0"><code>([\s\S]*?)<\/code><\/pre>/.exec(htmlReport(report))?.[1] ?? "";
  const unescaped = page.replace(/&(?:#(\d+)|lt|gt|amp|quot);/g, (found, code: string | undefined) =>
    code === undefined
      ? { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' }[found]!
      : String.fromCharCode(Number(code)),
  );
  expect(exactText(unescaped)).toBe(given);
  if (given.split("\n").length < 10) expect(exactText(dialogOf(approval))).toBe(given);
}

/** What the terminal's dialog says of it, page by page. */
function dialogOf(approval: Approval): string {
  const views: { render(width: number): string[]; handleInput(data: string): void }[] = [];
  const observers: ((update: unknown) => void)[] = [];
  const scheduler = {
    observe(observer: (update: unknown) => void) {
      observers.push(observer);
      return () => {};
    },
  } as unknown as Scheduler;
  const theme = { fg: (_role: string, text: string) => text, bold: (text: string) => text };
  const ui = {
    custom(make: (...given: unknown[]) => (typeof views)[number]) {
      views.push(make({ requestRender() {} }, theme, {}, () => {}));
      return new Promise<undefined>(() => {});
    },
    notify() {},
  } as never;
  const show = (each: () => unknown) => each();
  const prompts = { ask: show, askInQuiet: show, hasDraft: () => false } as never;
  const dialog = createApprovalDialog(scheduler, ui, prompts);
  for (const tell of observers)
    tell({ type: "call.entered", call: { status: "awaiting_approval", request: { id: "c", args: {} }, approval } });
  dialog.dispose();
  return rowsOf(views[0]!);
}

function rowsOf(view: { render(width: number): string[]; handleInput(data: string): void }): string {
  const rows: string[] = [];
  for (;;) {
    const [, title = "", ...rest] = view.render(200);
    if (title !== "Allow bash?") return title.slice("Allow bash? ".length);
    const end = rest.findIndex((line) => /^(lines \d+-|\(rule: )/.test(line));
    const [, from, to, all] = /^lines (\d+)-(\d+) of (\d+)/.exec(rest[end]!) ?? [null, "1", String(end), String(end)];
    rest.slice(0, end).forEach((row, at) => {
      rows[Number(from) - 1 + at] = row.slice(2);
    });
    if (to === all) return rows.join("");
    view.handleInput("\u001b[6~"); // PgDn
  }
}
