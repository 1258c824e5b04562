import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HostName } from "../../config/index.ts";
import { NO_USAGE, type Usage } from "../../core/run/index.ts";
import type { Line } from "../../hosts/index.ts";
import { createMeter } from "./meter.ts";
import { programOf } from "./program.ts";

const SESSION = "a1a9ab0e-c789-4dbf-bfef-68a42795be49";
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-meter-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const used = (more: Partial<Usage>): Usage => ({ ...NO_USAGE, ...more });

/** Where each host keeps the session, and a line about an answer and its sum. */
const FILES: Readonly<Record<string, { readonly path: string; readonly line: (at: number, sum: number) => Line }>> = {
  codex: {
    path: `.codex/sessions/2026/11/16/rollout-2026-11-16T05-45-43-${SESSION}.jsonl`,
    line: (_at, sum) => ({
      type: "event_msg",
      payload: { type: "token_count", info: { total_token_usage: { input_tokens: sum, output_tokens: 0 } } },
    }),
  },
  gemini: {
    path: ".gemini/tmp/project/chats/session-2026-11-16T05-45-a1a9ab0e.jsonl",
    line: (at) => ({ type: "gemini", id: `m${at}`, tokens: { input: 100, output: 0 } }),
  },
};

function aMeter(host: HostName, resumed?: string) {
  const told: Usage[] = [];
  let isThere = true;
  const meter = createMeter({
    program: programOf(host),
    env: { HOME: home },
    resumed,
    tell: async (usage) => {
      if (isThere) told.push(usage);
      return isThere;
    },
  });
  return { meter, told, setThere };

  function setThere(value: boolean): void {
    isThere = value;
  }
}

function write(host: string, lines: readonly Line[], end = "\n"): void {
  const path = join(home, FILES[host]!.path);
  mkdirSync(join(path, ".."), { recursive: true });
  appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}${end}`).join(""));
}

describe.each(["codex", "gemini"] as const)("%s", (host) => {
  const { line } = FILES[host]!;

  test("what its file tells is counted once, however often it stands there", async () => {
    const { meter, told } = aMeter(host);
    await meter.look(SESSION);
    write(host, [line(1, 100), line(1, 100), line(2, 200)]);
    await meter.look(SESSION);
    await meter.look(SESSION);
    write(host, [line(3, 300)]);
    await meter.look(SESSION);
    expect(told).toEqual([used({ input: 200 }), used({ input: 100 })]);
  });

  test("what a continued session used before is not counted again", async () => {
    write(host, [line(1, 100)]);
    const { meter, told } = aMeter(host, SESSION);
    write(host, [line(1, 100), line(2, 200)]);
    await meter.look(SESSION);
    expect(told).toEqual([used({ input: 100 })]);
  });

  test("a line that is half written is read when it is whole", async () => {
    const { meter, told } = aMeter(host);
    write(host, [line(1, 100)], "");
    await meter.look(SESSION);
    expect(told).toEqual([]);
    write(host, [], "");
    appendFileSync(join(home, FILES[host]!.path), "\n");
    await meter.look(SESSION);
    expect(told).toEqual([used({ input: 100 })]);
  });

  test("what could not be recorded is told with what came since", async () => {
    const { meter, told, setThere } = aMeter(host);
    setThere(false);
    write(host, [line(1, 100)]);
    await meter.look(SESSION);
    setThere(true);
    write(host, [line(2, 200)]);
    await meter.look(SESSION);
    expect(told).toEqual([used({ input: 200 })]);
  });
});

test("Codex and Gemini CLI: what came from a cache, and what was thought", () => {
  const codex = programOf("codex").spend!.reader()({
    type: "event_msg",
    payload: {
      type: "token_count",
      info: { total_token_usage: { input_tokens: 100, cached_input_tokens: 60, output_tokens: 7 } },
    },
  });
  expect(codex?.usage).toEqual(used({ input: 40, cacheRead: 60, output: 7 }));
  const gemini = programOf("gemini").spend!.reader()({
    type: "gemini",
    id: "m",
    tokens: { input: 100, cached: 60, output: 7, thoughts: 3, tool: 2 },
  });
  expect(gemini?.usage).toEqual(used({ input: 42, cacheRead: 60, output: 10 }));
});

test("Claude Code: input when an answer begins, output when it ends, cost at the end; subagents beside it", async () => {
  const { meter, told } = aMeter("claude-code");
  const piece = (event: Line, agent: string | null = null): Line => ({
    type: "stream_event",
    event,
    parent_tool_use_id: agent,
  });
  const begins = (id: string, input: number, agent?: string) =>
    piece({ type: "message_start", message: { id, usage: { input_tokens: input, output_tokens: 1 } } }, agent ?? null);
  meter.heard(begins("a", 100));
  await meter.look(SESSION);
  meter.heard(begins("b", 50, "task"));
  meter.heard(piece({ type: "message_delta", usage: { output_tokens: 7 } }));
  meter.heard(piece({ type: "message_delta", usage: { output_tokens: 3 } }, "task"));
  await meter.look(SESSION);
  meter.heard({ type: "result", total_cost_usd: 0.25 });
  await meter.look(SESSION);
  expect(told).toEqual([used({ input: 100, output: 1 }), used({ input: 50, output: 9 }), used({ cost: 0.25 })]);
});
