import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialectOf } from "../../test/builders/hook-hosts.ts";
import { hookSession } from "../../test/builders/hook-session.ts";
import { interruptsIn, watchInterrupts } from "./watch-interrupts.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "interrupts-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const AT = "2026-05-01T10:00:00.000Z";
const HOSTS = {
  "claude-code": {
    path: ".claude/projects/-tmp-p/s1.jsonl",
    prompt: '{"type":"user","message":{"role":"user","content":"do it"}}',
    answer: '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"ok"}]}}',
    aside: '{"type":"file-history-snapshot"}',
    interrupt: (id: number) =>
      `{"uuid":"${id}","timestamp":"${AT}","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}}`,
  },
  codex: {
    path: ".codex/sessions/2026/05/01/rollout-2026-05-01T09-00-00-s1.jsonl",
    prompt: '{"type":"event_msg","payload":{"type":"task_started","turn_id":"t"}}',
    answer: '{"type":"event_msg","payload":{"type":"task_complete","turn_id":"t"}}',
    aside: '{"type":"event_msg","payload":{"type":"token_count"}}',
    interrupt: (id: number) =>
      `{"timestamp":"${AT}","type":"event_msg","payload":{"type":"turn_aborted","turn_id":"t${id}"}}`,
  },
} as const;

describe.each(["claude-code", "codex"] as const)("%s", (host) => {
  const { path, prompt, answer, aside, interrupt } = HOSTS[host];
  const write = (...lines: readonly string[]) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    appendFileSync(join(home, path), lines.map((line) => `${line}\n`).join(""));
  };
  const watch = () => {
    const told: number[] = [];
    const { look } = interruptsIn({ dialect: dialectOf(host), session: "s1", env: {}, home }, async (at) =>
      told.push(at),
    );
    return { told, look };
  };

  test("an interrupt that is written down is told once, with its time", async () => {
    const { told, look } = watch();
    await look();
    write(prompt);
    await look();
    expect(told).toEqual([]);
    write(interrupt(1));
    await look();
    write(aside);
    await look();
    expect(told).toEqual([Date.parse(AT)]);
    write(prompt, answer, prompt, interrupt(2));
    await look();
    expect(told).toHaveLength(2);
  });

  test("what stood there at the first look, and what the agent continued after, is not told", async () => {
    write(prompt, interrupt(1));
    const { told, look } = watch();
    await look();
    write(aside);
    await look();
    write(prompt, interrupt(2), prompt);
    await look();
    expect(told).toEqual([]);
  });

  test("an interrupt that could not be told is told at the next look", async () => {
    const told: number[] = [];
    let isLocked = true;
    const { look } = interruptsIn({ dialect: dialectOf(host), session: "s1", env: {}, home }, async (at) => {
      if (isLocked) throw new Error("the log is locked");
      told.push(at);
    });
    await look();
    write(prompt, interrupt(1));
    await expect(look()).rejects.toThrow("locked");
    isLocked = false;
    await look();
    await look();
    expect(told).toHaveLength(1);
  });

  test("the end of a long transcript is enough", async () => {
    const { told, look } = watch();
    await look();
    write(prompt, ...Array.from({ length: 50 }, () => `{"text":"${"x".repeat(10_000)}"}`), interrupt(1));
    await look();
    expect(told).toHaveLength(1);
  });
});

test("a watch looks at once: what is written after it began is no old story", async () => {
  const { path, prompt, interrupt } = HOSTS.codex;
  mkdirSync(dirname(join(home, path)), { recursive: true });
  appendFileSync(join(home, path), `${prompt}\n`);
  const session = hookSession("codex", home, "s1");
  await session.prompt("do it");
  await session.write("one");
  const end = watchInterrupts({ dialect: dialectOf("codex"), session: "s1", env: { TILDONE_HOME: home }, home });
  appendFileSync(join(home, path), `${interrupt(1).replace(AT, new Date().toISOString())}\n`); // before the first second is over
  try {
    await expect
      .poll(async () => (await session.run()).ledger.decision, { timeout: 20_000 })
      .toMatchObject({ type: "stop", reason: "interrupted" });
  } finally {
    end();
  }
});

test("Codex: a turn that failed is told with the provider's words, one that was answered is not", async () => {
  const { path, prompt, answer } = HOSTS.codex;
  const told: unknown[] = [];
  const { look } = interruptsIn({ dialect: dialectOf("codex"), session: "s1", env: {}, home }, async (at, failure) =>
    told.push([at, failure]),
  );
  await look();
  mkdirSync(dirname(join(home, path)), { recursive: true });
  const error = { message: "prompt is too long", codex_error_info: "other" };
  const failed = JSON.stringify({ timestamp: AT, type: "event_msg", payload: { type: "task_complete", error } });
  for (const line of [prompt, answer, prompt, failed, prompt]) {
    appendFileSync(join(home, path), `${line}\n`);
    await look();
  }
  expect(told).toEqual([[Date.parse(AT), "prompt is too long"]]);
});

test("a host whose hooks tell of it is not looked at", async () => {
  const told: number[] = [];
  await interruptsIn({ dialect: dialectOf("gemini"), session: "s1", env: {}, home }, async (at) =>
    told.push(at),
  ).look();
  expect(told).toEqual([]);
});
