import { expect, test } from "vitest";
import type { HostName } from "../../config/index.ts";
import type { Line } from "../../hosts/index.ts";
import { deathOf } from "./ended.ts";
import { programOf } from "./program.ts";

test.each<[HostName, string, Line, string | undefined]>([
  ["claude-code", "done", { type: "result", subtype: "success", is_error: false, result: "ok" }, undefined],
  ["claude-code", "gave up on a hook", { type: "result", subtype: "success", is_error: false, result: "" }, undefined],
  [
    "claude-code",
    "a failure that calls itself a success",
    { type: "result", subtype: "success", is_error: true, api_error_status: 429, result: "API Error" },
    "429 API Error",
  ],
  ["claude-code", "its own limit", { type: "result", subtype: "error_max_turns", is_error: true }, "error_max_turns"],
  ["codex", "a failure", { type: "turn.failed", error: { message: "429 Too Many Requests" } }, "429 Too Many Requests"],
  ["codex", "a notice that looks like an error", { type: "item.completed", item: { type: "error" } }, undefined],
  ["gemini", "a failure", { type: "result", status: "error", error: { message: "quota" } }, "quota"],
  ["gemini", "done", { type: "result", status: "success" }, undefined],
  ["opencode", "a failure", { type: "error", error: { name: "APIError" } }, '{"name":"APIError"}'],
  ["opencode", "a text", { type: "text", part: {} }, undefined],
])("%s: %s", (host, _what, line, expected) => expect(programOf(host).failureIn(line)).toBe(expected));

test.each([
  [{ code: null, signal: "SIGKILL" as const, complaint: "" }, "Claude Code ended (signal SIGKILL)"],
  [{ code: 1, signal: null, complaint: " no such model\n" }, "Claude Code ended (exit 1): no such model"],
  [{ code: 0, signal: null, complaint: "a warning" }, undefined],
])("%j is told as %j", (end, says) => expect(deathOf(programOf("claude-code"), end)).toBe(says));
