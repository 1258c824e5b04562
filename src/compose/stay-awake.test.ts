import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "awake-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const src = (path: string): string => JSON.stringify(resolve("src", path));

/** A program that uses the library, in a process of its own; resolves with what it printed when it ended by itself. */
function program(code: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    env: { ...process.env, HOME: home, TILDONE_HOME: home, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  return new Promise((done) => child.on("close", (status) => done({ code: status, out })));
}

/** In a folder of its own: a whole temporary folder may hold more files than a look can be made at. */
const open = () => `
  import { openTildone } from ${src("compose/index.ts")};
  import { createFakeHost, HOST_KINDS } from ${src("testing/index.ts")};
  const host = createFakeHost(HOST_KINDS.terminal);
  const { tildone } = await openTildone({ host, cwd: ${JSON.stringify(home)}, env: process.env, flags: { countdown: "300ms" } });
  const { engine } = tildone;
  await engine.tell("s", { type: "todos.write", by: "model", write: { mode: "replace", todos: [{ text: "a" }] } });
  await engine.tell("s", { type: "turn.started", turn: "t1" });`;

test("a program that leaves a live run open ends when it has nothing else to do", async () => {
  expect(await program(`${open()} console.log(engine.run("s").status);`)).toEqual({ code: 0, out: "live\n" });
});

test("a program that waits for the answer at a boundary stays until it has it", async () => {
  const waits = `const { type } = await engine.settle("s", { type: "turn.ended", outcome: "completed" }); console.log(type);`;
  expect(await program(open() + waits)).toEqual({ code: 0, out: "nudge\n" });
});

test("a program with the hook of the library ends although a session counts down", async () => {
  const code = `
    import { createTodoContinuationHook } from ${src("hosts/library/index.ts")};
    const hook = createTodoContinuationHook({
      config: { countdownSeconds: 600 },
      getTodos: () => [{ id: "1", content: "a", status: "pending", priority: "high" }],
      injectPrompt: () => console.log("prompted"),
      showToast: () => console.log("counts"),
    });
    await hook.handler({ event: "session.idle", sessionId: "s" });`;
  const { code: exit, out } = await program(code);
  expect(exit).toBe(0);
  expect(out).toMatch(/^(counts\n)+$/);
});

test("a program with a scheduler ends although a call waits for an approval", async () => {
  const code = `
    import { createScheduler, loadPolicy, toolBox } from ${src("scheduler/index.ts")};
    import { systemClock } from ${src("compose/index.ts")};
    const loaded = loadPolicy({ mode: "ask", root: process.cwd(), rules: [] });
    const bash = { name: "bash", kind: "execute", parse: (args) => ({ ok: true, value: args }), describe: () => "rm", run: async () => "" };
    const scheduler = createScheduler({
      tools: toolBox([bash]), policy: loaded.policy, clock: systemClock(), journal: { append: () => {} }, canAsk: () => true,
    });
    scheduler.observe((update) => update.type === "call.entered" && console.log(update.call.status));
    void scheduler.schedule([{ id: "1", tool: "bash", args: {} }], new AbortController().signal);
  `;
  expect((await program(code)).out).toContain("awaiting_approval\n");
});
