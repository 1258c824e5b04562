// A small program with hooks of its own: a list, an agent, session recovery and a background manager. The agent stops after
// every todo; the hook continues it until the list is done. Run it: node examples/library-hook/main.ts
import { createTodoContinuationHook, type Todo } from "../../src/hosts/library/index.ts"; // in your program: "tildone/hooks"

const SESSION = "main";

const todos: Todo[] = ["write the parser", "write its tests", "update the readme"].map((content, at) => ({
  id: `${at + 1}`,
  content,
  status: "pending",
  priority: "medium",
}));

const background = createBackgroundManager();
const recovery = createSessionRecovery();
const hook = createTodoContinuationHook({
  config: { countdownSeconds: 0.2 },
  getTodos: async () => todos,
  getAgentInfo: () => ({ agent: "coder", hasWritePermission: true }),
  getMainSessionId: () => SESSION,
  getBackgroundTaskCount: (session) => background.runningOf(session),
  showToast: ({ title, message }) => console.log(`[${title}] ${message}`),
  injectPrompt: async (_session, prompt) => {
    console.log(`> ${prompt.split("\n")[0]}`);
    setImmediate(work);
  },
});
recovery.setOnAbortCallback(hook.markRecovering);
recovery.setOnRecoveryCompleteCallback(hook.markRecoveryComplete);

// A program with a screen or a server stays by itself; this one has neither, and the hook keeps no process alive.
const staying = setInterval(() => {}, 60_000);

await recovery.recover(SESSION);
background.start(SESSION, 300);
await idle();

/** The agent: does one todo per turn and stops. */
async function work(): Promise<void> {
  const at = todos.findIndex(({ status }) => status !== "completed");
  if (at < 0) return;
  await hook.handler({ event: "tool.after", sessionId: SESSION, data: { tool: "write", args: { at }, result: "ok" } });
  todos[at] = { ...todos[at]!, status: "completed" };
  console.log(`done: ${todos[at].content}`);
  await idle();
}

async function idle(): Promise<void> {
  const result = await hook.handler({ event: "session.idle", sessionId: SESSION });
  console.log(`idle: ${result?.status} (${result?.reason})`);
  if (result?.status !== "stopped") return;
  hook.dispose();
  clearInterval(staying);
}

function createBackgroundManager() {
  const tasks: { readonly session: string; status: "running" | "done" }[] = [];
  return {
    start(session: string, forMs: number): void {
      const task = { session, status: "running" as "running" | "done" };
      tasks.push(task);
      setTimeout(() => {
        task.status = "done";
      }, forMs);
    },
    runningOf: (session: string) =>
      tasks.filter((task) => task.session === session && task.status === "running").length,
  };
}

function createSessionRecovery() {
  let aborted: (session: string) => void = () => {};
  let recovered: (session: string) => void = () => {};
  return {
    setOnAbortCallback: (callback: (session: string) => void) => {
      aborted = callback;
    },
    setOnRecoveryCompleteCallback: (callback: (session: string) => void) => {
      recovered = callback;
    },
    async recover(session: string): Promise<void> {
      aborted(session);
      await new Promise((done) => setTimeout(done, 50)); // fixing the transcript
      recovered(session);
    },
  };
}
