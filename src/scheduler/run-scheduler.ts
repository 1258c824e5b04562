import { type CallEvent, type CutOff, recover } from "../core/call/index.ts";
import { IGNORED } from "../core/react/index.ts";
import type { Envelope } from "../core/run/index.ts";
import type { Engine, Log } from "../engine/index.ts";
import type { Journal } from "./recorder.ts";
import { createScheduler, type Scheduler, type SchedulerPorts } from "./scheduler.ts";

/**
 * The scheduler of one session's run: calls are written into the run's log, a hold keeps them back, and the answers that
 * other processes put into the log reach the calls that wait for them.
 */
export function createRunScheduler(
  engine: Engine,
  session: string,
  ports: Omit<SchedulerPorts, "journal" | "isHeld">,
): Scheduler {
  const isHeld = () => engine.run(session)?.ledger.held === true;
  const scheduler = createScheduler({ ...ports, journal: journalOf(engine, session), isHeld });
  const forget = engine.watch((key, _run, events) => {
    if (key === session) for (const stored of events) hear(scheduler, stored);
  });
  return {
    ...scheduler,
    dispose() {
      forget();
      return scheduler.dispose();
    },
  };
}

/** Without a run there is no log to write to, and nothing to lose; a process that lost its run must not act for it. */
function journalOf(engine: Engine, session: string): Journal {
  return {
    async append(events) {
      const reply = await engine.tell(session, { type: "calls.journal", events });
      if (reply.type === "ignored" && reply.why === "not_driver") throw new Error(IGNORED.not_driver);
    },
  };
}

function hear(scheduler: Scheduler, { event }: Envelope): void {
  if (event.type === "approval.answered") scheduler.learn(event);
  if (event.type === "human.held" && event.now) scheduler.cancel("all", "held");
}

/** What an earlier process of this run left half-way: shown to the user, never done again by itself. */
export function cutOffCalls(log: Log, run: string): CutOff {
  return recover(log.read(run, 0).events.map(({ event }) => event as CallEvent));
}
