import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { askServer } from "../../src/hooks/door/ask-server.ts";
import { doorOf, openDoorOf } from "../../src/hooks/door/door-of.ts";
import { likenessOf } from "../../src/hooks/door/likeness.ts";
import { QUESTION_VERSION, type Question } from "../../src/hooks/door/question.ts";
import { answerHooksOf, type Door } from "../../src/hooks/index.ts";
import { dialectOf } from "../builders/hook-hosts.ts";

let home: string;
let path: string;
let door: Door | undefined;
const env = () => ({ PATH: process.env.PATH ?? "", TILDONE_HOME: home });

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "door-"));
  mkdirSync(join(home, "doors"), { mode: 0o755 }); // as another user may have left it
  path = doorOf(home, "claude-code", "s")!;
  door = await answerHooksOf({ dialect: dialectOf("claude-code"), session: "s", env: env(), home });
});
afterEach(() => {
  door?.close();
  rmSync(home, { recursive: true, force: true });
});

function question(more: Partial<Question> | Record<string, unknown> = {}, from = env()): Question {
  return {
    v: QUESTION_VERSION,
    host: "claude-code",
    event: "stop",
    session: "s",
    secret: openDoorOf(home, "claude-code", "s")!.secret,
    like: likenessOf(from, home),
    happening: { type: "stopped" },
    payload: { cwd: home },
    ...more,
  } as Question;
}

/** What comes back for raw bytes, and how long it took. */
function raw(bytes: string): Promise<{ readonly heard: string; readonly ms: number }> {
  const began = performance.now();
  return new Promise((done) => {
    let heard = "";
    const socket = connect(path);
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      heard += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => done({ heard, ms: performance.now() - began }));
    socket.on("connect", () => socket.end(bytes));
  });
}

/** A hook does not wait long for its server: on a busy machine an answer may come too late, the next one does not. */
const isAnswered = (): Promise<void> =>
  expect.poll(() => askServer(path, question()), { timeout: 30_000, interval: 100 }).toEqual({});

describe("the door of the hooks", () => {
  test("a hook of this session is answered", isAnswered);

  test("the folder and the secret are for their owner alone, whatever was there before", () => {
    expect(statSync(join(home, "doors")).mode & 0o077).toBe(0);
    expect(statSync(`${path}.key`).mode & 0o077).toBe(0);
    expect(readFileSync(`${path}.key`, "utf8")).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, () => Question]>([
    ["without the secret", () => question({ secret: "" })],
    ["with another secret", () => question({ secret: "0".repeat(64) })],
    ["with an environment", () => question({ env: { PATH: "/evil" } })],
    ["with a home", () => question({ home: "/evil" })],
    ["of another session", () => question({ session: "other" })],
    ["of another host", () => question({ host: "codex" })],
    ["from another environment", () => question({}, { ...env(), PATH: `/evil:${env().PATH}` })],
    ["from an environment with other settings", () => question({}, { ...env(), TILDONE_HOME: "/evil" })],
    [
      "about words of the human",
      () =>
        question({
          event: "prompt",
          happening: { type: "prompted", from: "human", text: "tildone accept", turn: "t" },
        }),
    ],
    ["about a failure", () => question({ happening: { type: "failed", failure: {} } })],
    ["about a host that is gone", () => question({ happening: { type: "host.left" } })],
    [
      "about a command that passed",
      () =>
        question({
          happening: {
            type: "calls.ended",
            interrupted: false,
            calls: [
              { tool: { name: "Bash", kinds: [] }, args: {}, result: {}, command: { line: "npm test", output: "" } },
            ],
          },
        }),
    ],
    ["with a field too many", () => question({ happening: { type: "stopped", proven: true } })],
    [
      "with a field of another kind",
      () => question({ happening: { type: "stopped", background: { agents: -1, commands: "x" } } }),
    ],
    [
      "with a list of something else",
      () =>
        question({
          happening: {
            type: "calls.ended",
            interrupted: false,
            calls: [{ tool: { name: "T", kinds: [] }, args: {}, result: {}, list: ["x"] }],
          },
        }),
    ],
    ["of another event", () => question({ event: "anything" })],
    ["of another release", () => question({ v: 1 })],
  ])("a question %s is hung up on", async (_what, ask) => {
    expect(await askServer(path, ask())).toBeUndefined();
    await isAnswered();
  });

  test("a program that the asker puts first on its path does not run in the server", async () => {
    const evil = join(home, "evil");
    mkdirSync(evil);
    writeFileSync(join(evil, "git"), `#!/bin/sh\ntouch '${join(home, "mark")}'\n`, { mode: 0o755 });
    mkdirSync(join(home, ".git"));
    const first = { ...env(), PATH: `${evil}:${env().PATH}` };
    const asked = { ...question(), env: first, home };
    await raw(`${JSON.stringify(asked)}\ngo\n`);
    await askServer(path, asked);
    await askServer(path, question({}, first));
    // A look at the files continues beside the answer.
    const ran = vi.waitUntil(() => existsSync(join(home, "mark")), { timeout: 1_000, interval: 20 });
    await expect(ran).rejects.toThrow("Timed out");
  });

  test("what is too much is hung up on at once", async () => {
    const whole = JSON.stringify(question({ payload: { x: "y".repeat(31 * 1024 * 1024) } }));
    for (const bytes of [
      whole,
      `${whole}\n`,
      "x".repeat(31 * 1024 * 1024),
      "\n".repeat(1024 * 1024),
      "{".repeat(900_000),
    ]) {
      const { heard, ms } = await raw(bytes);
      expect(heard).toBe("");
      expect(ms).toBeLessThan(5_000);
    }
    await isAnswered();
  });

  test("many who come in and say nothing keep no hook out for long", async () => {
    const idle = Array.from({ length: 100 }, () => connect(path).on("error", () => {}));
    await isAnswered();
    for (const socket of idle) socket.destroy();
  });
});
