import type { Run } from "../core/run/index.ts";
import { listOf } from "../core/view/index.ts";
import type { Clock, Timer } from "./ports.ts";

/** Calls back at the beginning of a countdown and at each whole second before its end, so that it can be shown. */
export function createCountdownTicks(
  clock: Clock,
  show: (session: string, left: { readonly seconds: number; readonly remaining: number }) => void,
) {
  const counting = new Map<string, { readonly until: number; tick?: Timer }>();

  return { follow, forget, forgetAll: () => [...counting.keys()].forEach(forget) };

  function follow(session: string, run: Run): void {
    const { boundary, turn } = run.ledger;
    const until = !turn && boundary?.status === "countdown" && run.status === "live" ? boundary.until : undefined;
    if (until === counting.get(session)?.until) return;
    forget(session);
    if (until === undefined || until <= clock.now()) return;
    counting.set(session, { until });
    tick(session, listOf(run).count.remaining);
  }

  function tick(session: string, remaining: number): void {
    const entry = counting.get(session);
    const seconds = entry ? Math.ceil((entry.until - clock.now()) / 1000) : 0;
    if (!entry || seconds <= 0) return;
    show(session, { seconds, remaining });
    if (seconds > 1) entry.tick = clock.setTimer(entry.until - (seconds - 1) * 1000, () => tick(session, remaining));
  }

  function forget(session: string): void {
    counting.get(session)?.tick?.cancel();
    counting.delete(session);
  }
}
