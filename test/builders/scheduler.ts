// Schedulers for tests: tools are written as functions, time stands still, the journal is a list.
import { type CallEvent, type CallRequest, loadPolicy, type Mode, type Rule } from "../../src/core/call/index.ts";
import {
  type CallContext,
  createScheduler,
  type Journal,
  type Scheduler,
  type SchedulerPorts,
  type Tool,
  toolBox,
  type Update,
} from "../../src/scheduler/index.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/index.ts";

export interface Bench {
  readonly scheduler: Scheduler;
  readonly clock: FakeClock;
  readonly updates: Update[];
  readonly journal: CallEvent[];
  readonly faults: unknown[];
  /** "c1 validating", "c1 scheduled", … in the order they came. */
  states(): string[];
}

export interface BenchOptions extends Partial<Omit<SchedulerPorts, "tools" | "policy" | "journal">> {
  readonly tools: readonly Tool[];
  readonly mode?: Mode;
  readonly rules?: readonly Rule[];
  readonly journal?: Journal;
  /** Does not keep the updates: for tests with very many calls. */
  readonly isUnobserved?: boolean;
}

export function aScheduler(options: BenchOptions): Bench {
  const { tools, mode = "ask", rules = [], journal, isUnobserved, ...ports } = options;
  const load = loadPolicy({ mode, rules, root: "/repo" });
  if (!load.ok) throw new Error(JSON.stringify(load.problems));
  const clock = createFakeClock();
  const written: CallEvent[] = [];
  const updates: Update[] = [];
  const faults: unknown[] = [];
  const scheduler = createScheduler({
    tools: toolBox(tools),
    clock,
    policy: load.policy,
    journal: journal ?? { append: (events) => void written.push(...events) },
    canAsk: () => true,
    onFault: (fault) => faults.push(fault),
    ...ports,
  });
  if (!isUnobserved) scheduler.observe((update) => updates.push(update));
  const states = () =>
    updates.flatMap((update) =>
      update.type === "call.entered" ? [`${update.call.request.id} ${update.call.status}`] : [],
    );
  return { scheduler, clock, updates, journal: written, faults, states };
}

type Run = (args: { readonly path?: string }, call: CallContext) => unknown;

/** Reads freely: no approval, no claims unless a path is given. */
export function aReader(name = "read", run: Run = () => "ok", more: Partial<Tool> = {}): Tool {
  return {
    name,
    kind: "read",
    claims: (args) => claimOf(args, "read"),
    run: run as Tool["run"],
    ...more,
  };
}

/** Writes `args.path`; asks first in mode "ask". */
export function aWriter(name = "write", run: Run = () => "written", more: Partial<Tool> = {}): Tool {
  return {
    name,
    kind: "edit",
    claims: (args) => claimOf(args, "write"),
    run: run as Tool["run"],
    ...more,
  };
}

const claimOf = (args: unknown, access: "read" | "write") => {
  const { path } = args as { path?: string };
  return path === undefined ? [] : [{ path, access }];
};

export const request = (id: string, tool: string, more: Partial<CallRequest> = {}): CallRequest => ({
  id,
  tool,
  args: {},
  ...more,
});

/** A tool's work that ends when the test says so. */
export function aGate() {
  const gates: PromiseWithResolvers<unknown>[] = [];
  return {
    wait: () => {
      const gate = Promise.withResolvers<unknown>();
      gates.push(gate);
      return gate.promise;
    },
    open: (index = 0, value: unknown = "ok") => gates[index]!.resolve(value),
    fail: (index: number, error: Error) => gates[index]!.reject(error),
    get waiting() {
      return gates.length;
    },
  };
}
