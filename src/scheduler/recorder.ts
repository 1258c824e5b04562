import type { CallEvent } from "../core/call/index.ts";
import type { Clock } from "../engine/index.ts";

/** Where calls leave their trace. What is appended is on disk when `append` returns, or when its promise resolves. */
export interface Journal {
  append(events: readonly CallEvent[]): void | Promise<void>;
}

export interface Recorder {
  /** Writes the events down, together with whatever else comes up in this moment; `then` hears whether it worked. */
  record(events: readonly CallEvent[], then?: (recorded: boolean) => void): void;
  /** Does not wait for the end of this moment. */
  flush(): void;
  /** An append is under way or about to be. */
  readonly isBusy: boolean;
}

interface Entry {
  readonly events: readonly CallEvent[];
  readonly then: ((recorded: boolean) => void) | undefined;
}

/** One append at a time, in order; a journal that does not answer within `patienceMs` has failed. */
export function createRecorder(journal: Journal, clock: Clock, patienceMs: number, failed: (error: unknown) => void) {
  let waiting: Entry[] = [];
  let isScheduled = false;
  let isAppending = false;

  function flush(): void {
    isScheduled = false;
    if (isAppending || waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    isAppending = true;
    try {
      const appended = journal.append(group.flatMap(({ events }) => events));
      if (appended === undefined) settle(group);
      else waitFor(appended, group);
    } catch (error) {
      settle(group, { error });
    }
  }

  function waitFor(appended: Promise<void>, group: readonly Entry[]): void {
    let isOver = false;
    const end = (problem?: { readonly error: unknown }) => {
      if (isOver) return;
      isOver = true;
      timer.cancel();
      settle(group, problem);
    };
    const timer = clock.setTimer(clock.now() + patienceMs, () =>
      end({ error: new Error(`the journal did not answer within ${patienceMs} ms`) }),
    );
    appended.then(
      () => end(),
      (error: unknown) => end({ error }),
    );
  }

  function settle(group: readonly Entry[], problem?: { readonly error: unknown }): void {
    isAppending = false;
    if (problem !== undefined) failed(problem.error);
    for (const { then } of group) then?.(problem === undefined);
    if (waiting.length > 0) flush();
  }

  const recorder: Recorder = {
    record(events, then) {
      waiting.push({ events, then });
      if (isScheduled || isAppending) return;
      isScheduled = true;
      queueMicrotask(flush);
    },
    flush,
    get isBusy() {
      return isAppending || waiting.length > 0;
    },
  };
  return recorder;
}
