import { type Limits, observedBy } from "../core/continuation/index.ts";
import type { HostFact, Trigger } from "../core/react/index.ts";
import { type Run, UNBORN } from "../core/run/index.ts";
import { givesBirth } from "./births.ts";
import type { EnginePorts } from "./engine.ts";
import { guardRequest } from "./guarded.ts";
import type { GuardRequest } from "./ports.ts";

/** The workspace as it was at the last look. */
export interface Seen {
  readonly workspace?: string;
}

/** What must be known of the world before a trigger is looked at. A look that fails is reported, and told without. */
export function createLooks(
  { workspace, checks, cwd, birth, context }: Pick<EnginePorts, "workspace" | "checks" | "cwd" | "birth" | "context">,
  session: string,
  failed: (where: string, message: string) => unknown,
) {
  return { areNeeded, before, observe, begin };

  /** A turn begins: where it may lead to a run, what will judge that run is kept before the agent does anything. */
  async function begin(run: Run): Promise<void> {
    if (run.status !== "live") await attempt("baseline", () => checks?.begin?.({ cwd, session }));
  }

  function areNeeded(trigger: Trigger, run: Run): boolean {
    if (trigger.type === "host.rechecked") return factsOf(trigger).some((fact) => areNeeded(fact, run));
    return trigger.type === "turn.started" || wantsWorkspace(trigger, run) || guardOf(trigger, run) !== undefined;
  }

  /** The trigger with what protects its checks; `seen` where the workspace matters to it. */
  async function before(trigger: Trigger, run: Run): Promise<{ readonly seen: Seen; readonly guarded: Trigger }> {
    if (trigger.type === "host.rechecked") return { seen: {}, guarded: await withGuards(trigger, run) };
    const request = guardOf(trigger, run);
    const guard = request && (await attempt("guard", () => checks?.guard(request)));
    const seen = wantsWorkspace(trigger, run) ? await observe() : {};
    const stepped: Trigger = movesWorkflow(trigger) || isOfTurn(trigger) ? { ...trigger, ...seen } : trigger;
    return { seen, guarded: guard === undefined ? stepped : ({ ...stepped, guard } as Trigger) };
  }

  async function withGuards(trigger: Recheck, run: Run): Promise<Recheck> {
    if (trigger.status !== "ready") return trigger;
    const guarded = await Promise.all(trigger.facts.map((fact) => before(fact, run)));
    return { ...trigger, facts: guarded.map((each) => each.guarded as HostFact) };
  }

  function wantsWorkspace(trigger: Trigger, run: Run): boolean {
    return needsWorkspace(trigger, run) || (isOfTurn(trigger) && seemsStuck(trigger, run, context().limits));
  }

  async function observe(): Promise<Seen> {
    const state = await attempt("workspace", () => workspace?.observe(cwd));
    return state === undefined ? {} : { workspace: state };
  }

  function guardOf(trigger: Trigger, run: Run): GuardRequest | undefined {
    if (!checks) return undefined;
    return run.status === "live"
      ? guardRequest(trigger, run, { cwd, session }, run.ledger.checks)
      : guardRequest(trigger, UNBORN, { cwd, session }, birth().checks);
  }

  async function attempt<T>(where: string, look: () => Promise<T | undefined> | undefined): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      failed(where, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

export type Looks = ReturnType<typeof createLooks>;

type Recheck = Trigger & { type: "host.rechecked" };

const factsOf = (trigger: Recheck): readonly HostFact[] => (trigger.status === "ready" ? trigger.facts : []);

const needsWorkspace = (trigger: Trigger, run: Run): boolean =>
  movesWorkflow(trigger) || isCheck(trigger, run) || (run.status !== "live" && givesBirth(trigger, run));

const isOfTurn = (trigger: Trigger): trigger is Trigger & { type: "answer.seen" | "call.seen" } =>
  trigger.type === "answer.seen" || trigger.type === "call.seen";

/** Before a turn is called stuck its files are looked at; no look is spent on a turn that gets on. */
function seemsStuck(
  trigger: Trigger & { type: "answer.seen" | "call.seen" },
  { ledger: { turn } }: Run,
  { brake }: Limits,
): boolean {
  if (!turn || turn.braked) return false;
  const { same, answers, idle, still } = turn.pace;
  if (trigger.type === "call.seen" && trigger.digest === same?.call) return true;
  const counts = trigger.type === "answer.seen" || answers === 0;
  return counts && (idle >= brake.idleAnswers || still >= brake.stillAnswers);
}

/** The agent ran a check itself: what it proves, it proves of the files as they are now. */
const isCheck = (trigger: Trigger, run: Run): boolean =>
  trigger.type === "call.seen" &&
  trigger.command !== undefined &&
  observedBy(run, trigger.command.line, false).length > 0;

const movesWorkflow = (trigger: Trigger): boolean =>
  trigger.type === "workflow.start" || (trigger.type === "workflow.step" && trigger.action !== "status");
