// What the scheduler is measured beside. `path` is the module that holds the peers.

/** Makes n calls ready; only `run`, which checks that all of them succeeded, is timed. */
export type Batch = (n: number) => Promise<Ready>;
export interface Ready {
  run(): Promise<void>;
  close(): Promise<void>;
}

export async function pQueue(path: string): Promise<Batch> {
  const { PQueue } = await import(path);
  return async (count) => {
    const queue = new PQueue({ concurrency: 10 });
    return {
      async run() {
        const results = await Promise.all(Array.from({ length: count }, () => queue.add(async () => "ok")));
        if (results.length !== count) throw new Error("tasks were lost");
      },
      async close() {},
    };
  };
}

/** The scheduler of gemini-cli-core, driven as a library: everything real but its configuration. */
export async function peer(path: string, decision: "allow" | "ask_user"): Promise<Batch> {
  const { loadPeer } = await import(path);
  const {
    BaseDeclarativeTool,
    BaseToolInvocation,
    Kind,
    MessageBus,
    MessageBusType,
    PolicyEngine,
    Scheduler,
    ROOT_SCHEDULER_ID,
  } = await loadPeer();
  class Invocation extends BaseToolInvocation {
    constructor(...given: readonly unknown[]) {
      super(...given);
    }
    getDescription() {
      return "noop";
    }
    async execute() {
      return { llmContent: "ok", returnDisplay: "ok" };
    }
  }
  class Noop extends BaseDeclarativeTool {
    #once: unknown;
    constructor(bus: unknown) {
      super("noop", "noop", "does nothing", Kind.Read, { type: "object", properties: {} }, bus);
    }
    createInvocation(params: unknown, bus: unknown) {
      return new Invocation(params, bus, "noop");
    }
    /** The same object each time: otherwise it compiles the schema anew for every call. */
    getSchema(model: unknown) {
      this.#once ??= super.getSchema(model);
      return this.#once;
    }
  }
  const mode = decision === "allow" ? "yolo" : "default";
  const policy = new PolicyEngine({ rules: [{ toolName: "*", decision, priority: 1 }], approvalMode: mode });
  const bus = new MessageBus(policy).setMaxListeners(0);
  const noop = new Noop(bus);
  const toolRegistry = {
    getTool: (tool: string) => (tool === "noop" ? noop : undefined),
    getAllToolNames: () => ["noop"],
  };
  const config = {
    getSessionId: () => "bench",
    getApprovalMode: () => mode,
    isInteractive: () => true,
    getPolicyEngine: () => policy,
    getHookSystem: () => undefined,
    getActiveModel: () => "any",
    getShellExecutionConfig: () => ({}),
    isContextManagementEnabled: () => false,
    getUsageStatisticsEnabled: () => false, // keeps it off the network
    getTelemetryTracesEnabled: () => false,
    getTelemetryLogPromptsEnabled: () => false,
  };
  const scheduler = new Scheduler({
    context: { config, messageBus: bus, toolRegistry },
    messageBus: bus,
    getPreferredEditor: () => undefined,
    schedulerId: ROOT_SCHEDULER_ID,
  });
  const waiting = new Set<string>();
  let wanted = 0;
  const approve = async () => {
    for (const correlationId of waiting)
      await bus.publish({
        type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
        correlationId,
        confirmed: true,
        outcome: "proceed_once",
      });
  };
  bus.subscribe(
    MessageBusType.TOOL_CALLS_UPDATE,
    ({ toolCalls }: { toolCalls: { status: string; correlationId: string }[] }) => {
      if (decision === "allow") return;
      for (const call of toolCalls) if (call.status === "awaiting_approval") waiting.add(call.correlationId);
      if (waiting.size !== wanted) return;
      wanted = Number.POSITIVE_INFINITY;
      setImmediate(approve); // an answer given at once would be lost
    },
  );
  return async (count) => {
    waiting.clear();
    wanted = count;
    const requests = Array.from({ length: count }, (_, index) => ({
      callId: `c${index}`,
      name: "noop",
      args: {},
      isClientInitiated: false,
      prompt_id: "p",
    }));
    return {
      async run() {
        const done = await scheduler.schedule(requests, new AbortController().signal);
        if (done.length !== count || done.some((call: { status: string }) => call.status !== "success"))
          throw new Error("the peer lost calls");
      },
      async close() {},
    };
  };
}
