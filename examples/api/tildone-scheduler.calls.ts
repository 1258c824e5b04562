// Tools, rules, calls and approvals
import {
  type Answered,
  type Approval,
  type CallContext,
  type CallEvent,
  type CallRequest,
  type Claim,
  conflict,
  createScheduler,
  type Gate,
  type Grant,
  isSettled,
  type Journal,
  LIMITS,
  loadPolicy,
  MODES,
  type Mode,
  NEXT,
  type Observer,
  type Parsed,
  type Permission,
  type Policy,
  type PolicySource,
  type Preview,
  type Question,
  type Refuse,
  type Rule,
  type Scheduler,
  type SchedulerLimits,
  type SchedulerPorts,
  type SettledCall,
  type Snapshot,
  type Tool,
  type ToolBox,
  type ToolKind,
  TransientError,
  toolBox,
  UNANSWERED,
  type Update,
} from "../../src/scheduler/index.ts";

interface Sent {
  readonly to: string;
}
const kind: ToolKind = "execute";

/** A tool says beforehand what it would do; only `run` does it. */
const send: Tool<Sent> = {
  ...{ name: "send", kind, deadlineMs: 30_000 },
  parse: (args): Parsed<Sent> =>
    typeof args === "object" && args !== null && "to" in args
      ? { ok: true, args: { to: String(args.to) } }
      : { ok: false, path: "to", message: "is missing" },
  claims: (): readonly Claim[] => [{ path: "outbox", access: "write" }],
  preview: ({ to }): Preview => ({ text: `to ${to}`, binds: to }),
  run: async ({ to }, call: CallContext) => {
    const question: Question = { what: `send to ${to}?`, because: "that is many" };
    const { granted }: Permission = to === "everyone" ? await call.ask(question) : { granted: true, words: "" };
    if (!granted) return "not sent";
    if (call.signal.aborted) throw new TransientError("the line was busy");
    call.print("sent\n");
    return "sent";
  },
};
const tools: ToolBox = toolBox([send as Tool]);

const never: Rule = { name: "never to all", decision: "deny", tool: "send", args: { to: "all" } };
const mode: Mode = MODES.includes("ask") ? "ask" : "plan";
const source: PolicySource = { mode, root: process.cwd(), rules: [never] };
const loaded = loadPolicy(source);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const policy: Policy = loaded.policy;

const events: CallEvent[] = [];
const journal: Journal = { append: (more) => void events.push(...more) };
const limits: Partial<SchedulerLimits> = { approvalMs: LIMITS.approvalMs / 2 };
const quiet: Gate = ({ tool }) => (tool === "shout" ? { decision: "deny", because: "not at night" } : undefined);
const ports: SchedulerPorts = { tools, policy, journal, limits, gates: [quiet], canAsk: () => true };
const scheduler: Scheduler = createScheduler(ports);

/** Every change is told, a question too. */
const watch: Observer = (update: Update) => {
  if (update.type === "call.entered" && update.call.status === "awaiting_approval") answer(update.call.approval);
};
scheduler.observe(watch);

export async function main(): Promise<readonly SettledCall[]> {
  const request: CallRequest = { id: "1", tool: "send", args: { to: "ann" } };
  const results = await scheduler.schedule([request], AbortSignal.timeout(60_000));
  const { calls, approvals }: Snapshot = scheduler.snapshot();
  console.log(`${calls.length} calls are open, ${approvals.length} wait for an answer`);
  return results;
}

function answer({ call, what }: Approval): void {
  const once: Grant = { type: "once" };
  const no: Refuse = { words: "not today" };
  const answered: Answered = what.includes("ann") ? scheduler.approve(call, once) : scheduler.deny(call, no);
  if (!answered.ok && answered.code === "not_asked") console.log(UNANSWERED.not_asked);
}

/** States, and what may not happen side by side. */
export const ends = (["success", "executing"] as const).map((status) => [isSettled(status), NEXT[status]]);
export const sameFile = conflict({ path: "/a", access: "write" }, { path: "/a", access: "read" });
