// A small program that runs tool calls through the scheduler: what may run side by side does, what changes files asks first,
// and a tool that hangs is cut off. Run it: node examples/scheduler/main.ts
import { setTimeout as sleep } from "node:timers/promises";
import { createScheduler, loadPolicy, type Tool, toolBox } from "../../src/scheduler/index.ts"; // "tildone/scheduler"

const files = new Map([["notes.txt", "buy milk"]]);

const read: Tool<{ path: string }> = {
  name: "read",
  kind: "read",
  parse: (args) => withText(args, "path"),
  claims: ({ path }) => [{ path, access: "read" }],
  run: async ({ path }) => files.get(path) ?? "",
};
const write: Tool<{ path: string; text: string }> = {
  name: "write",
  kind: "edit",
  parse: (args) => withText(args, "path", "text"),
  claims: ({ path }) => [{ path, access: "write" }],
  describe: ({ path, text }) => `write ${text.length} characters to ${path}`,
  run: async ({ path, text }) => void files.set(path, text),
};
const hang: Tool = { name: "hang", kind: "read", run: () => sleep(60_000) };

const policy = loadPolicy({
  mode: "ask",
  rules: [{ name: "never the keys", decision: "deny", path: "keys/**", message: "Keys are none of your business." }],
});
if (!policy.ok) throw new Error(JSON.stringify(policy.problems));

const scheduler = createScheduler({
  tools: toolBox([read, write, hang]),
  policy: policy.policy,
  canAsk: () => true,
  journal: { append: (events) => console.log(`log: ${events.map(({ type }) => type).join(", ")}`) },
  clock: {
    now: () => Date.now(),
    setTimer: (at, fire) => {
      const timer = setTimeout(fire, Math.max(0, at - Date.now()));
      return { cancel: () => clearTimeout(timer) };
    },
  },
});
scheduler.observe((update) => {
  if (update.type !== "call.entered" || update.call.status !== "awaiting_approval") return;
  const { call, what } = update.call.approval;
  console.log(`asked: ${what}`);
  if (call === "2") scheduler.approve(call);
  else scheduler.deny(call, { words: "not today" });
});

const results = await scheduler.schedule([
  { id: "1", tool: "read", args: { path: "notes.txt" } },
  { id: "2", tool: "write", args: { path: "notes.txt", text: "buy bread" } },
  { id: "3", tool: "read", args: { path: "notes.txt" } }, // after the write, because it reads what is written
  { id: "4", tool: "write", args: { path: "other.txt", text: "no" } },
  { id: "5", tool: "read", args: { path: "keys/private" } },
  { id: "6", tool: "raed", args: {} },
  { id: "7", tool: "write", args: { path: 7 } },
  { id: "8", tool: "hang", args: {}, deadlineMs: 50 },
]);
for (const call of results)
  console.log(
    `${call.request.id}: ${call.status === "success" ? (call.value ?? "done") : `${call.status}: ${call.message}`}`,
  );
await scheduler.dispose();
process.exit(0); // the tool that hangs would keep the process for a minute

function withText<K extends string>(args: unknown, ...names: readonly K[]) {
  const given = args as Record<K, unknown>;
  const wrong = names.find((name) => typeof given[name] !== "string");
  if (wrong !== undefined) return { ok: false, path: wrong, message: "must be a text" } as const;
  return { ok: true, args: given as Record<K, string> } as const;
}
