// node codex-goal.ts <codex> <goal> [flag...]: one thread of `codex app-server` with a goal, as the terminal interface would hold
// it; `codex exec` does not go on by itself. It ends when the goal is no longer active, or after SIGINT, which interrupts the turn as
// escape does. A thread that is idle with an active goal rests until it is ended. The exit code is 0 where the goal is complete.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface Note {
  readonly method: string;
  readonly params: { readonly goal?: { readonly status: string }; readonly turn?: { readonly id: string } };
}

const [binary = "", objective = "", ...flags] = process.argv.slice(2);
const server = spawn(binary, ["app-server", ...flags], { stdio: ["pipe", "pipe", "inherit"] });
const asked = new Map<number, { done(result: unknown): void; fail(error: Error): void }>();
let isActive = true;
let isInterrupted = false;
let status = "active";
let turn: string | undefined;

createInterface({ input: server.stdout }).on("line", (line) => {
  const { id, result, error, ...note } = JSON.parse(line) as Note & { id?: number; result?: unknown; error?: object };
  const waiting = id === undefined ? undefined : asked.get(id);
  if (error) waiting?.fail(new Error(JSON.stringify(error)));
  else if (waiting) waiting.done(result);
  else hear(note);
});

await ask("initialize", {
  clientInfo: { name: "until-done", title: "until-done", version: "1" },
  capabilities: { experimentalApi: true },
});
server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "initialized" })}\n`);
const { thread } = (await ask("thread/start", {
  cwd: process.cwd(),
  approvalPolicy: "never",
  sandbox: "workspace-write",
})) as { thread: { id: string } };
process.on("SIGINT", () => {
  isInterrupted = true;
  void ask("turn/interrupt", { threadId: thread.id, turnId: turn });
});
await ask("thread/goal/set", { threadId: thread.id, objective, status: "active", origin: "user" });

function hear({ method, params }: Note): void {
  console.log(JSON.stringify({ method, status: params.goal?.status }));
  if (method === "thread/goal/updated" && params.goal) status = params.goal.status;
  if (method === "turn/started") [isActive, turn] = [true, params.turn?.id];
  if (method === "turn/completed") isActive = false;
  if (!isActive && (isInterrupted || status !== "active")) end();
}

function end(): void {
  server.kill();
  process.exit(isInterrupted ? 130 : status === "complete" ? 0 : 1);
}

function ask(method: string, params: object): Promise<unknown> {
  const id = asked.size + 1;
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  return new Promise((done, fail) => asked.set(id, { done, fail }));
}
