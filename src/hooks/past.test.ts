import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Tabled } from "../../test/builders/hook-hosts.ts";
import { type HookSession, hookSession } from "../../test/builders/hook-session.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-past-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A transcript of the host's own, in lines as the real hosts write them. */
function transcript(...lines: readonly string[]): { readonly transcript_path: string } {
  const path = join(home, "chat.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return { transcript_path: path };
}

async function working(host: Tabled): Promise<HookSession> {
  const session = hookSession(host, home, "s1");
  await session.prompt("do it");
  await session.write("one");
  return session;
}

const entry = (type: string, content: string) =>
  `{"id":"5e851960","timestamp":"2026-11-16T05:19:17.359Z","type":"${type}","content":${content}}`;
const UPDATED = '{"$set":{"lastUpdated":"2026-11-16T05:19:17.359Z"}}';
const ASKED = entry("user", '[{"text":"do it"}]');
const NUDGED = entry("user", '[{"text":"Todos remain: 0/1 done, 1 remaining."}]');
const CALLED = entry("gemini", '"","thoughts":[]');
const RESULT = entry("user", '[{"functionResponse":{"id":"x","name":"run_shell_command"}}]');
const STOPPED = entry("gemini", '"I stop here.","thoughts":[]');
const SILENT = entry("gemini", "[]");
const CANCELLED = entry("info", '"Request cancelled."');
const UNREAD = entry("error", '"Model stream ended without a finish reason."');
const REWOUND = `{"$set":{"messages":[${ASKED},"${"x".repeat(300_000)}"]}}`;
const TALKED = entry("gemini", '"They said: \\"type\\":\\"info\\",\\"content\\":\\"Request cancelled.","thoughts":[]');

const API_ERROR = (code: number, message: string, status: string) =>
  entry("error", JSON.stringify(`[API Error: ${JSON.stringify({ error: { code, message, status } })}]`));

describe("Gemini tells of escape like of a stop", () => {
  test.each<[string, readonly string[], string, "aborted" | "continued"]>([
    ["while it thinks", [ASKED, UPDATED, CANCELLED, UPDATED, REWOUND], "[no response text]", "aborted"],
    ["after a tool", [ASKED, CALLED, RESULT, UPDATED, CANCELLED, UPDATED, REWOUND], "[no response text]", "aborted"],
    ["after words and a nudge", [ASKED, STOPPED, NUDGED, CANCELLED, REWOUND], "I stop here.", "aborted"],
    ["while its stop hook ran", [ASKED, STOPPED, CANCELLED, NUDGED, REWOUND], "I stop here.", "aborted"],
    ["while words come in", [ASKED, UPDATED, CANCELLED, REWOUND], "I am going to", "aborted"],
    ["in a session that keeps no transcript", [], "[no response text]", "aborted"],
    ["an answer", [ASKED, UPDATED, STOPPED, UPDATED], "I stop here.", "continued"],
    ["an answer without words", [ASKED, CALLED, RESULT, SILENT, UPDATED], "[no response text]", "continued"],
    ["an answer after an escape long ago", [ASKED, CANCELLED, REWOUND, NUDGED, STOPPED], "I stop here.", "continued"],
    ["an answer that talks about it", [ASKED, TALKED, UPDATED], "They said", "continued"],
    ["an answer that the host could not read", [ASKED, STOPPED, NUDGED, UNREAD, REWOUND], "I stop here.", "continued"],
  ])("%s", async (_when, lines, prompt_response, expected) => {
    const session = await working("gemini");
    const path = lines.length > 0 ? transcript(...lines) : { transcript_path: join(home, "none") };
    const answer = await session.stop({ prompt_response, ...path });
    const { ledger } = await session.run();
    if (expected === "aborted") expect(ledger.decision).toMatchObject({ type: "stop", reason: "interrupted" });
    else expect(answer).toContain("Todos remain");
    expect(answer.includes('"decision":"block"')).toBe(expected === "continued");
  });

  test.each([
    ["a request that is wrong", API_ERROR(400, "The request is wrong.", "INVALID_ARGUMENT"), "provider_error"],
    ["a limit", API_ERROR(429, "Try again in 2 hours.", "RESOURCE_EXHAUSTED"), "rate_limited"],
  ])("and of a provider that fails: %s", async (_what, error, reason) => {
    const session = await working("gemini");
    const answer = await session.stop({ prompt_response: "I stop here.", ...transcript(ASKED, CALLED, RESULT, error) });
    expect(answer).not.toContain('"decision":"block"');
    expect((await session.run()).ledger.decision).toMatchObject({ reason });
    if (reason === "provider_error") expect(answer).toContain("400 The request is wrong. (INVALID_ARGUMENT)");
  });

  test("and may write it down only after its hook began", async () => {
    const session = await working("gemini");
    const { transcript_path } = transcript(ASKED, CALLED, RESULT);
    const writer = spawn("sh", ["-c", 'sleep 0.3; printf "%s\\n" "$1" >> "$2"', "sh", CANCELLED, transcript_path]);
    await session.stop({ prompt_response: "I am going to", transcript_path });
    expect((await session.run()).ledger.decision).toMatchObject({ type: "stop", reason: "interrupted" });
    if (writer.exitCode === null) await once(writer, "exit");
  });

  test("while a tool runs, and the tool tells of it", async () => {
    const session = await working("gemini");
    const tool_response = { llmContent: "Command was cancelled by user before it could complete." };
    const call = { tool_name: "run_shell_command", tool_input: { command: "sleep 60" }, tool_response };
    await session.tell("post-tool", { ...call, ...transcript(ASKED, CALLED) });
    expect((await session.run()).ledger.interrupt).toBeUndefined(); // it only printed that
    await session.tell("post-tool", { ...call, ...transcript(ASKED, CALLED, CANCELLED, UPDATED) });
    expect((await session.run()).ledger.decision).toMatchObject({ type: "stop", reason: "interrupted" });
  });

  test("and its own reminder after that is not your word", async () => {
    const session = await working("gemini");
    await session.stop({ prompt_response: "[no response text]", ...transcript(ASKED, CANCELLED, REWOUND) });
    await session.prompt("[System: You successfully executed a tool but returned an empty response. Please go on.]");
    await session.tell("post-tool", {
      tool_name: "run_shell_command",
      tool_input: { command: "ls" },
      tool_response: { llmContent: "a" },
    });
    expect(await session.stop()).not.toContain("block");
    expect((await session.run()).ledger.decision).toMatchObject({ reason: "interrupted" });
  });
});

const CLAUDE_CUT = '{"message":{"role":"user","content":[{"text":"[Request interrupted by user]"}]}}';
const CLAUDE_ASKED = '{"message":{"role":"user","content":"do it"}}';
const CLAUDE_NEXT = '{"message":{"role":"user","content":"go on"}}';
const codex = (type: string, turn: string, more = "") => `{"payload":{"type":"${type}","turn_id":"${turn}"${more}}}`;
const FAILED = ',"error":{"message":"400 the request is wrong"}';

describe("a prompt after a turn whose end was not told", () => {
  type Row = [host: Tabled, what: string, lines: readonly string[], left: boolean, expected: string];
  test.each<Row>([
    ["claude-code", "the host was killed", [CLAUDE_ASKED], true, "continue"],
    ["claude-code", "you interrupted, and then it was killed", [CLAUDE_ASKED, CLAUDE_CUT], true, "interrupted"],
    ["claude-code", "killed in the turn after that", [CLAUDE_CUT, CLAUDE_ASKED], true, "continue"],
    ["claude-code", "you interrupted", [CLAUDE_ASKED, CLAUDE_CUT, CLAUDE_NEXT], false, "interrupted"],
    ["claude-code", "nothing is known", [CLAUDE_ASKED], false, "interrupted"],
    ["codex", "the host was killed", [codex("task_started", "a")], true, "continue"],
    ["codex", "you interrupted", [codex("task_started", "a"), codex("turn_aborted", "a")], false, "interrupted"],
    [
      "codex",
      "and then it was killed",
      [codex("turn_aborted", "a"), codex("task_started", "s1-t9")],
      true,
      "interrupted",
    ],
    [
      "codex",
      "killed in the turn after that",
      [codex("turn_aborted", "a"), codex("task_started", "b")],
      true,
      "continue",
    ],
    [
      "codex",
      "the provider failed",
      [codex("task_started", "a"), codex("task_complete", "a", FAILED)],
      false,
      "continue",
    ],
    ["gemini", "the host was killed", [ASKED, CALLED], true, "continue"],
    ["gemini", "the host was killed together with our server", [ASKED, CALLED], false, "continue"],
    ["gemini", "you interrupted", [ASKED, CALLED, CANCELLED], false, "interrupted"],
    ["gemini", "you interrupted, and then it was killed", [ASKED, CALLED, CANCELLED], true, "interrupted"],
    [
      "gemini",
      "the provider failed",
      [ASKED, API_ERROR(400, "the request is wrong", "INVALID_ARGUMENT")],
      false,
      "continue",
    ],
    ["gemini", "nothing is known", [], false, "interrupted"],
  ])("%s: %s", async (host, what, lines, left, expected) => {
    const session = await working(host);
    if (left) await session.tell("host-gone", { host_process: 2 ** 22 + 1 });
    const fields = { prompt: "go on", prompt_id: "s1-t9", turn_id: "s1-t9", timestamp: "s1-t9" };
    await session.tell("prompt", { ...fields, ...transcript(...lines) });
    const answer = await session.stop();
    if (expected === "continue") expect(answer).toContain("Todos remain");
    else expect((await session.run()).ledger.decision).toMatchObject({ type: "stop", reason: expected });
    const types = (await session.log()).map(({ event }) => event.type);
    expect(types.includes("human.interrupted")).toBe(expected === "interrupted");
    if (what === "the provider failed")
      expect((await session.log()).map(({ event }) => JSON.stringify(event)).join()).toContain(
        "400 the request is wrong",
      );
  });

  test.each(["claude-code", "codex"] as const)("%s: a session that begins anew was killed", async (host) => {
    const session = await working(host);
    const lines = host === "codex" ? [codex("task_started", "a")] : [CLAUDE_ASKED];
    await session.tell("session-start", { source: "compact", ...transcript(...lines) });
    expect((await session.run()).ledger.left).toBeUndefined();
    await session.tell("session-start", { source: "resume", ...transcript(...lines) });
    expect((await session.run()).ledger.left).toBeDefined();
    const fields = { prompt: "go on", prompt_id: "s1-t9", turn_id: "s1-t9" };
    await session.tell("prompt", { ...fields, ...transcript(...lines) });
    expect(await session.stop()).toContain("Todos remain");
  });
});
