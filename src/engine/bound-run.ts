import type { Birth, Context, Trigger } from "../core/react/index.ts";
import { type Run, UNBORN } from "../core/run/index.ts";
import { KEEP_EVERY, KEEP_OFTEN, type Known, openRun } from "./open-run.ts";
import type { Host, Store } from "./ports.ts";
import { type Recorded, record } from "./recorder.ts";

/** The run that is bound to one session of a host, as this process knows it. A run attached elsewhere has left this session. */
export function createBoundRun(
  store: Store,
  { name: host, capabilities }: Pick<Host, "name" | "capabilities">,
  session: string,
  keepEvery?: number,
) {
  const openedEvery = keepEvery ?? (capabilities.resident ? KEEP_EVERY : KEEP_OFTEN);
  let known = load();
  return { run: () => known.run, reload, news, isLive, has, write };

  function reload(): void {
    known = load();
  }

  function load(): Known {
    const card = find();
    return card ? openRun(store.log, card.run, openedEvery) : NONE;
  }

  function find() {
    const card = store.runs.find(host, session);
    return card?.host === host && card.session === session ? card : undefined;
  }

  /** Whether the session still belongs to that run. */
  function has({ id }: Run): boolean {
    return find()?.run === id;
  }

  /** Whether a run lives in the session by now, this one or another. */
  function isLive(): boolean {
    return find()?.live === true;
  }

  /** What other processes did: they appended to it, or it was removed or another one bound to the session. */
  function news(): "none" | "appended" | "another" {
    if (find()?.run !== known.run.id) return "another";
    return store.log.last(known.run.id) > known.seq ? "appended" : "none";
  }

  /** A birth that is refused changes nothing: what was there is still there. */
  function write(trigger: Trigger | "look", context: Context, birth?: Birth): Recorded {
    const recorded = birth
      ? record(store.log, birth.run, NONE, trigger, context, { birth, isTaken: isLive }, keepEvery)
      : record(store.log, known.run.id, known, trigger, context, undefined, keepEvery);
    if (recorded.known.run.status !== "unborn") known = recorded.known;
    return recorded;
  }
}

export type BoundRun = ReturnType<typeof createBoundRun>;

const NONE: Known = { run: UNBORN, seq: 0 };
