import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TABLED, type Tabled } from "../../test/builders/hook-hosts.ts";
import { type HookSession, hookSession } from "../../test/builders/hook-session.ts";

const HOSTS = TABLED;

/** How a call is refused. Gemini ends the turn with it; Claude Code with what we say after it; Codex lets the turn continue. */
const refused = (reason: unknown) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
});
const REFUSED: Readonly<Record<Tabled, (reason: unknown) => object>> = {
  "claude-code": refused,
  codex: refused,
  gemini: (reason) => ({ continue: false, stopReason: reason, decision: "block", reason }),
};
const ENDS = { continue: false, stopReason: expect.stringContaining("tildone ends this turn") };

describe.each(HOSTS)("%s", (host) => {
  let home: string;
  let session: HookSession;
  const shell = { tool_name: host === "gemini" ? "run_shell_command" : "Bash", tool_input: { command: "ls" } };
  const own = { tool_name: host === "gemini" ? "mcp_tildone_list_todos" : "mcp__tildone__list_todos", tool_input: {} };
  const ask = (call: object = shell) => session.tell("pre-tool", call);
  const ended = (call: Record<string, unknown> = shell, response = "a") => {
    const result = { ...call, tool_use_id: "u", tool_response: response };
    return session.tell("post-tool", host === "claude-code" ? { tool_calls: [result] } : result);
  };
  const expectEnded = async (reason: string, output: string) => {
    expect(JSON.parse(output)).toEqual(REFUSED[host](expect.stringContaining("tildone ends this turn")));
    const after = await ended({ ...shell, tool_input: { command: "refused" } });
    if (host === "claude-code") expect(JSON.parse(after)).toEqual(ENDS);
    else expect(after).toBe("");
    const { ledger } = await session.run();
    expect(ledger.interrupt).toBeUndefined();
    if (host === "codex") expect(ledger.turn?.braked).toMatchObject({ reason });
    else expect(ledger.decision).toMatchObject({ type: "stop", reason });
  };

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), "tildone-brake-"));
    session = hookSession(host, home, "s");
    await session.prompt("do it");
    await session.write("one");
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  test("the same call with the same result eight times in a row ends the turn, and no nudge follows", async () => {
    for (let count = 0; count < 7; count++) {
      expect(await ask()).toBe("");
      expect(await ended()).toBe("");
    }
    const eighth = await ended();
    if (host === "claude-code") expect(JSON.parse(eighth)).toEqual(ENDS);
    else expect(forAgent(eighth)).toEqual({});
    const output = await ask();
    await expectEnded("no_progress", output);
    expect(output.includes("end your turn")).toBe(host === "codex"); // the agent is the only one who can
    expect(JSON.parse(await ask())).toEqual(REFUSED[host](expect.any(String))); // another call of the same answer
    expect(forAgent(await session.stop())).toEqual({});
    expect((await session.run()).ledger.decision).toMatchObject({ type: "stop", reason: "no_progress" });
    await session.prompt("try something else");
    expect(await ask()).toBe("");
  });

  test("our own tool again and again ends the turn, too, and is never refused", async () => {
    for (let count = 0; count < 8; count++) await ended(own);
    const output = await ask(own);
    expect(output).not.toContain("permissionDecision");
    if (host === "codex") expect(output).toBe("");
    else expect(JSON.parse(output)).toMatchObject(ENDS);
    await session.stop();
    expect((await session.run()).ledger.decision).toMatchObject({ type: "stop", reason: "no_progress" });
  });

  test("two calls in turn, again and again, end it after the answers that may bring nothing", async () => {
    writeFileSync(join(home, "config.json"), '{ "turn": { "answersWithoutActivity": 6 } }');
    let output = "";
    let calls = 0;
    for (; calls < 20 && output === ""; calls++) {
      const call = { ...shell, tool_input: { command: `cat ${calls % 2}` } };
      output = await ask(call);
      await ended(call, `${calls % 2}`);
    }
    expect(calls).toBeLessThan(12);
    await expectEnded("no_progress", output);
  });

  test("a hold within the turn ends it; a turn that you begin while on hold runs", async () => {
    expect(await ask()).toBe("");
    await ended();
    await session.say({ type: "human.hold", now: false });
    await expectEnded("held", await ask());
    await session.stop();
    expect((await session.run()).ledger.decision).toMatchObject({ type: "stop", reason: "held" });
    await session.prompt("just list the files");
    expect(await ask()).toBe("");
  });

  test("after unhold, a message goes out at the next stop although the prompt hook failed", async () => {
    await ended();
    await session.say({ type: "human.hold", now: false });
    await ask();
    await ended();
    await session.stop();
    await session.say({ type: "human.unhold" });
    await session.say({ type: "words.queue", words: { id: "w", text: "mind the gap", kind: "steer" } });
    expect(await session.stop({ prompt_id: "lost", turn_id: "lost", timestamp: "lost" })).toContain("mind the gap");
  });

  test("minutes that are spent end the turn at its next call", async () => {
    rmSync(join(home, "tildone.db"));
    writeFileSync(join(home, "config.json"), '{ "budget": { "minutes": 0.001 } }');
    await session.write("one");
    await ended();
    await new Promise((passed) => setTimeout(passed, 100)); // more than the budget, whatever the machine does
    await expectEnded("budget_minutes", await ask());
  });
});

/** Without what only you read. */
function forAgent(output: string): object {
  const { systemMessage: _, ...rest } = JSON.parse(output || "{}") as Record<string, unknown>;
  return rest;
}
