import type { Prelude } from "../../compose/index.ts";
import { standText } from "../../core/command/index.ts";
import { IGNORED, type Reply, type Trigger } from "../../core/react/index.ts";
import { beyond, NO_USAGE, type Run, type Usage } from "../../core/run/index.ts";
import type { Engine } from "../../engine/index.ts";

export type Tell = (trigger: Trigger) => Promise<Reply>;

/** The run of one session of pi, as the rest of the adapter sees it; after `close` there is none any more. */
export function createSessionRun(engine: Engine, session: string, before: Prelude) {
  let closed = false;
  /** Answers before a run are told as a sum: what of it was heard. */
  let counted: Usage = NO_USAGE;
  const run = (): Run | undefined => (closed ? undefined : engine.run(session));

  return {
    run,
    tell,
    describe,
    untilCountedDown,
    isClosed: () => closed,
    /** A turn that had no run is over. */
    turnOver: before.over,
    close: () => {
      closed = true;
      before.over();
    },
  };

  async function tell(trigger: Trigger): Promise<Reply> {
    if (closed) return { type: "ignored", why: "no_run" };
    const reply = await engine.tell(session, trigger);
    if (closed) return reply;
    if (run()?.status === "live") {
      before.over();
      counted = NO_USAGE;
    } else await before.heard(asNews(trigger));
    return reply;
  }

  function asNews(trigger: Trigger): Trigger {
    if (trigger.type !== "answer.seen" || !trigger.usage) return trigger;
    const usage = beyond(trigger.usage, counted);
    counted = trigger.usage;
    return { ...trigger, usage };
  }

  /** How the run stands, in a sentence. */
  function describe(): string {
    const current = run();
    return current ? standText(current) : IGNORED.no_run;
  }

  /** Resolves when no countdown of an idle session is under way. */
  async function untilCountedDown(): Promise<void> {
    while (run()?.ledger.boundary?.status === "countdown") {
      const changed = Promise.withResolvers<void>();
      const off = engine.watch(() => changed.resolve());
      await changed.promise;
      off();
    }
  }
}

export type SessionRun = ReturnType<typeof createSessionRun>;
