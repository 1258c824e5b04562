import type { Config } from "../../config/index.ts";
import type { Trigger } from "../../core/react/index.ts";
import { beyond, NO_USAGE, type Usage } from "../../core/run/index.ts";
import { type Clock, createEngine, type Engine, type Host } from "../../engine/index.ts";
import { memoryStore } from "../../store/index.ts";
import type { Notices } from "./notices.ts";
import { whileAlive } from "./while-alive.ts";

export interface PreludeParts {
  readonly config: Pick<Config, "limits" | "budget">;
  readonly clock: Clock;
  readonly host: Host;
  readonly notices: Notices;
  readonly cwd: string;
}

/**
 * A turn before there is a list has its limits too. It is judged like a turn of a run, and nothing of it is kept: the first list takes
 * its place.
 */
export function createPrelude({ config, clock, host, notices, cwd }: PreludeParts) {
  /** Of the turn that runs. */
  let judge: Engine | undefined;
  /** Answers before a run are told as a sum. */
  let counted: Usage = NO_USAGE;
  return { heard, over };

  async function heard(trigger: Trigger): Promise<void> {
    if (trigger.type === "turn.ended") return over();
    if (trigger.type === "turn.started") await begin();
    if (OF_TURN.includes(trigger.type)) await judge?.tell(SESSION, asNews(trigger));
  }

  async function begin(): Promise<void> {
    over();
    judge = createEngine({
      store: memoryStore(),
      host: { ...host, nudge: nothing, deliver: nothing, show: () => {}, endTurn },
      clock,
      cwd,
      driver: "before the list",
      newRunId: () => SESSION,
      context: () => ({ limits: config.limits }),
      birth: () => ({ budget: config.budget, checks: [], requirements: [] }),
    });
    await judge.tell(SESSION, { type: "goal.set" });
  }

  function asNews(trigger: Trigger): Trigger {
    if (trigger.type !== "answer.seen" || !trigger.usage) return trigger;
    const usage = beyond(trigger.usage, counted);
    counted = trigger.usage;
    return { ...trigger, usage };
  }

  /** The turn or its session is over, or a run judges it from now on: no timer of it is left. */
  function over(): void {
    judge?.dispose();
    judge = undefined;
    counted = NO_USAGE;
  }

  function endTurn(session: string, end: Parameters<Host["endTurn"]>[1]): void {
    host.endTurn(session, end);
    whileAlive(() => notices.show({ type: "text", text: end.says }), over);
  }
}

export type Prelude = ReturnType<typeof createPrelude>;

const SESSION = "before the list";

const OF_TURN: readonly Trigger["type"][] = [
  "turn.started",
  "answer.seen",
  "answer.growing",
  "tool.began",
  "call.seen",
];

const nothing = () => Promise.resolve();
