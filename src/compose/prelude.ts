import type { Config } from "../config/index.ts";
import type { Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import { type Clock, createEngine, type Engine, type Host, type TurnEnd } from "../engine/index.ts";
import { memoryStore } from "../store/index.ts";

export interface PreludeParts {
  readonly config: Pick<Config, "limits" | "budget">;
  readonly clock: Clock;
  readonly host: Pick<Host, "name" | "capabilities" | "endTurn">;
  readonly session: string;
  /** For the person to read, since there is no run that would say it. */
  readonly say: (text: string) => void;
  readonly cwd: string;
}

/**
 * A turn before there is a list has its limits too. It is judged like a turn of a run, and nothing of it is kept: the first list takes
 * its place.
 */
export function createPrelude({
  config,
  clock,
  host: { name, capabilities, endTurn },
  session,
  say,
  cwd,
}: PreludeParts) {
  /** Of the turn that runs. */
  let judge: Engine | undefined;
  return { heard, over, run };

  function run(): Run | undefined {
    return judge?.run(session);
  }

  async function heard(trigger: Trigger): Promise<void> {
    if (trigger.type === "turn.ended") return over();
    if (trigger.type === "turn.started") await begin();
    if (OF_TURN.includes(trigger.type)) await judge?.tell(session, trigger);
  }

  async function begin(): Promise<void> {
    over();
    judge = createEngine({
      store: memoryStore(),
      host: { name, capabilities, nudge: nothing, deliver: nothing, show: () => {}, endTurn: end },
      clock,
      cwd,
      driver: BEFORE,
      newRunId: () => BEFORE,
      context: () => ({ limits: config.limits }),
      birth: () => ({ budget: config.budget, checks: [], requirements: [] }),
    });
    await judge.tell(session, { type: "goal.set" });
  }

  /** The turn or its session is over, or a run judges it from now on: no timer of it is left. */
  function over(): void {
    judge?.dispose();
    judge = undefined;
  }

  function end(of: string, how: TurnEnd): void {
    endTurn(of, how);
    say(how.says);
  }
}

export type Prelude = ReturnType<typeof createPrelude>;

const BEFORE = "before the list";

const OF_TURN: readonly Trigger["type"][] = [
  "turn.started",
  "answer.seen",
  "answer.growing",
  "tool.began",
  "call.seen",
];

const nothing = () => Promise.resolve();
