import type { CallEvent } from "../call/index.ts";
import { evolveTodos, type TodoEvent } from "../todo/index.ts";
import { evolveWorkflow, isNewPhase, type WorkflowEvent } from "../workflow/index.ts";
import { UNBORN } from "./birth.ts";
import type { Envelope, LedgerEvent } from "./event.ts";
import { problemOf } from "./event-form.ts";
import { evolveCall } from "./evolve-call.ts";
import { evolveHost } from "./evolve-host.ts";
import { evolveHuman } from "./evolve-human.ts";
import { evolveProof } from "./evolve-proof.ts";
import { freshBoundary } from "./evolve-resume.ts";
import { afterId, evolveTodoLedgers } from "./evolve-todo-ledgers.ts";
import { evolveTurn } from "./evolve-turn.ts";
import { knowsList } from "./list-known.ts";
import { passTime } from "./pace.ts";
import { phaseWork } from "./phase-work.ts";
import { progressed, takenUp } from "./progress.ts";
import type { Ledger, Run } from "./run.ts";
import { withState } from "./seen.ts";

/** Bumped whenever the same log would fold to another state: kept folds of other versions are thrown away. */
export const FOLD_VERSION = 16;

/** Total: whatever stands in a log, the fold goes on. An event that it does not know or cannot read changes nothing. */
export function evolve(run: Run, envelope: Envelope): Run {
  if (problemOf(envelope.event) !== undefined) return run;
  const timed = TIMED.has(envelope.event.type) ? { ...run, ledger: passTime(run.ledger, envelope.at) } : run;
  const next = run.ledger.left && isOfHost(envelope) ? inRoom(back(timed), envelope) : inRoom(timed, envelope);
  const listKnown = knowsList(run, envelope);
  return listKnown === next.ledger.listKnown ? next : { ...next, ledger: { ...next.ledger, listKnown } };
}

/** Signs of life of a turn: up to here its time counts. What others append may come long after its process died. */
const TIMED: ReadonlySet<string> = new Set<Envelope["event"]["type"]>([
  "answer.seen",
  "answer.growing",
  "result.seen",
  "activity.seen",
  "approval.requested",
  "approval.answered",
  "question.opened",
  "question.closed",
  "turn.braked",
  "turn.ended",
]);

/** The host is heard of, or another took its turn over. What the human says from elsewhere is no sign of its life. */
const isOfHost = ({ by, event }: Envelope): boolean =>
  by === "host" || by === "model" || by === "subagent" || event.type === "turn.cut";

function back(run: Run): Run {
  const { left: _, ...ledger } = run.ledger;
  return { ...run, ledger };
}

function inRoom(run: Run, envelope: Envelope): Run {
  const { event } = envelope;
  const room = ROOMS[event.type.slice(0, event.type.indexOf("."))];
  switch (room) {
    case "todo":
      return evolveList(run, envelope, event as TodoEvent);
    case "workflow":
      return evolveFlow(run, envelope, event as WorkflowEvent);
    case "call":
      return evolveCall(run, event as CallEvent);
    case "run":
      return evolveLife(run, envelope);
    case undefined:
      return run;
    default: {
      const ledger = LEDGER_ROOMS[room](run.ledger, envelope);
      return ledger === run.ledger ? run : { ...run, ledger };
    }
  }
}

export const fold = (envelopes: readonly Envelope[], from: Run = UNBORN): Run => envelopes.reduce(evolve, from);

/** Which part of the fold an event belongs to, by the noun of its type. */
const ROOMS: Readonly<Record<string, "todo" | "workflow" | "call" | "run" | keyof typeof LEDGER_ROOMS>> = {
  todos: "todo",
  todo: "todo",
  workflow: "workflow",
  phase: "workflow",
  approval: "call",
  call: "call",
  batch: "call",
  run: "run",
  plan: "run",
  human: "human",
  words: "human",
  budget: "human",
  continuation: "human",
  turn: "turn",
  usage: "turn",
  answer: "turn",
  result: "turn",
  tool: "turn",
  workspace: "turn",
  activity: "turn",
  decision: "turn",
  wait: "turn",
  nudge: "turn",
  round: "proof",
  guard: "proof",
  check: "proof",
  question: "host",
  recovery: "host",
  compaction: "host",
  background: "host",
  mode: "host",
  model: "host",
  host: "host",
  config: "host",
  clock: "host",
  attempt: "host",
};

const LEDGER_ROOMS = {
  human: evolveHuman,
  turn: evolveTurn,
  proof: evolveProof,
  host: evolveHost,
} as const satisfies Record<string, (ledger: Ledger, envelope: Envelope) => Ledger>;

function evolveLife(run: Run, { event, at }: Envelope): Run {
  const { ledger } = run;
  switch ((event as LedgerEvent).type) {
    case "run.began": {
      const {
        run: id,
        origin,
        goal,
        budget,
        checks,
        requirements,
        seesCalls,
        workspace,
        timebase,
      } = event as LedgerEvent & { type: "run.began" };
      return {
        ...run,
        id,
        status: "live",
        origin,
        ...(goal !== undefined && { goal }),
        ledger: {
          ...ledger,
          began: at,
          budget,
          checks,
          requirements,
          seesCalls,
          ...(timebase && { timebase }),
          ...(workspace !== undefined && { workspace, seen: withState(ledger.seen, workspace) }),
        },
      };
    }
    case "run.bound": {
      const { host, session } = event as LedgerEvent & { type: "run.bound" };
      return { ...run, origin: { ...run.origin, host, session } };
    }
    case "run.claimed": {
      const { driver, epoch } = event as LedgerEvent & { type: "run.claimed" };
      return epoch <= ledger.claim.epoch ? run : { ...run, ledger: { ...ledger, claim: { driver, epoch } } };
    }
    case "run.launched":
      return { ...run, ledger: { ...ledger, launch: (event as LedgerEvent & { type: "run.launched" }).launch } };
    case "run.ended":
      return {
        ...run,
        status: "ended",
        ledger: { ...ledger, endReason: (event as LedgerEvent & { type: "run.ended" }).reason },
      };
    case "run.reopened": {
      const { endReason: _over, ...rest } = ledger;
      const { boundary: id } = event as LedgerEvent & { type: "run.reopened" };
      const boundary = freshBoundary(id, at);
      return { ...run, status: "live", ledger: { ...rest, boundaries: ledger.boundaries + 1, boundary } };
    }
    case "plan.rebased": {
      const { plan } = event as LedgerEvent & { type: "plan.rebased" };
      return {
        ...run,
        plan,
        ledger: {
          ...ledger,
          // The files do not go back with the branch: a phase is judged by what changes from here on.
          ...(ledger.workspace !== undefined && { phaseWorkspace: ledger.workspace }),
          nextTodoId: Math.max(ledger.nextTodoId, ...plan.todos.map(({ id }) => afterId(id))),
        },
      };
    }
    default:
      return run;
  }
}

function evolveList(run: Run, envelope: Envelope, event: TodoEvent): Run {
  const todos = evolveTodos(run.plan.todos, event);
  return {
    ...run,
    plan: { ...run.plan, todos },
    ledger: {
      ...evolveTodoLedgers(run.ledger, run.plan.todos, envelope, event),
      ...(event.type === "todos.written" && envelope.by === "model" && { phasePlanned: true }),
    },
  };
}

function evolveFlow(run: Run, { by }: Envelope, event: WorkflowEvent): Run {
  const { workflow: before, ...plan } = run.plan;
  const workflow = evolveWorkflow(before, event);
  if (workflow === before) return run;
  const taken = by === "model" ? takenUp(run.ledger) : run.ledger;
  const ledger = isNewPhase(before, event) ? progressed(taken) : taken;
  const givenUp = event.type === "workflow.cancelled" && by !== "human";
  const moved = workflow?.path !== before?.path && ledger.workspace !== undefined;
  return {
    ...run,
    plan: { ...plan, ...(workflow && { workflow }) },
    ledger: {
      ...ledger,
      ...(moved && { phaseWorkspace: ledger.workspace }),
      ...(event.type === "workflow.started" && { workflowGivenUp: false }),
      ...(givenUp && { workflowGivenUp: true, accepted: false }),
      ...phaseWork(ledger, before, workflow, by),
    },
  };
}
