import type { Prelude } from "../../compose/index.ts";
import type { Reply, Trigger } from "../../core/react/index.ts";
import type { Run } from "../../core/run/index.ts";
import type { Clock, Engine } from "../../engine/index.ts";
import type { Activity } from "./activity.ts";
import type { Driver } from "./capabilities.ts";
import type { LoopBoundary } from "./loop-boundary.ts";
import type { Prompter } from "./prompter.ts";
import type { TurnRecord } from "./turn-record.ts";
import type { TurnWatch } from "./turn-watch.ts";

/** The run of a root session, and how it is told; while there is no list, a prelude judges its turns. */
export interface RootRun {
  readonly session: string;
  readonly driver: Driver;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly prelude: Prelude;
  readonly run: () => Run | undefined;
  /** What the turn is judged by: the run, or its limits alone. */
  readonly judged: () => Run | undefined;
  readonly isLive: () => boolean;
  readonly tell: (trigger: Trigger) => Promise<Reply>;
  /** For you to read. */
  readonly say: (text: string) => void;
}

/** What a root session is made of. */
export interface RootParts {
  readonly root: RootRun;
  readonly activity: Activity;
  readonly turn: TurnRecord;
  readonly watch: TurnWatch;
  readonly prompter: Prompter;
  readonly loop: () => LoopBoundary;
}

export function rootRun(
  session: string,
  given: Pick<RootRun, "driver" | "engine" | "clock" | "prelude" | "say">,
): RootRun {
  const { engine, prelude } = given;
  const run = () => engine.run(session);
  const isLive = () => run()?.status === "live";
  return { session, ...given, run, isLive, judged: () => (isLive() ? run() : prelude.run()), tell };

  async function tell(trigger: Trigger): Promise<Reply> {
    const reply = await engine.tell(session, trigger);
    if (isLive()) prelude.over();
    else await prelude.heard(trigger);
    return reply;
  }
}
