import type { StopReason } from "../../core/continuation/index.ts";
import type { Run } from "../../core/run/index.ts";
import { countTodos } from "../../core/todo/index.ts";
import { decisionText } from "../../core/words/index.ts";
import type { Clock, Notice, Timer } from "../../engine/index.ts";
import type { Toast, TodoContinuationConfig } from "./options.ts";

const TITLE = "Todo Continuation";
/** Nobody asked for anything here, so nobody is told that nothing happens. */
const SILENT: readonly StopReason[] = ["disabled", "no_todos"];

/** What the human sees: the countdown second by second, and why the run stopped. */
export function createToasts(
  show: (toast: Toast) => void,
  clock: Clock,
  { toastDuration }: Pick<TodoContinuationConfig, "toastDuration">,
) {
  const counting = new Map<string, { readonly until: number; tick?: Timer }>();

  return { follow, say, stopped, forget, forgetAll: () => [...counting.keys()].forEach(forget) };

  function say(message: string, variant: Toast["variant"] = "warning"): void {
    try {
      show({ title: TITLE, message, variant });
    } catch {
      // A toast that cannot be shown is no reason to stop, and there is nowhere else to say so.
    }
  }

  function stopped({ reason, run }: Notice & { type: "stopped" }, detail?: string): void {
    if (SILENT.includes(reason)) return;
    const { done, total } = countTodos(run.plan.todos);
    const { decision } = run.ledger;
    const said = detail ?? (decision?.type === "stop" ? decisionText(decision) : reason);
    say(`${said} [${done}/${total}]`, reason === "all_done" || reason === "done_unproven" ? "success" : "warning");
  }

  function follow(session: string, run: Run): void {
    const { boundary, turn } = run.ledger;
    const until = !turn && boundary?.status === "countdown" && run.status === "live" ? boundary.until : undefined;
    if (until === counting.get(session)?.until) return;
    forget(session);
    if (until === undefined || until <= clock.now()) return;
    counting.set(session, { until });
    tick(session, countTodos(run.plan.todos).remaining);
  }

  function tick(session: string, remaining: number): void {
    const entry = counting.get(session);
    const left = entry ? entry.until - clock.now() : 0;
    if (!entry || left <= 0) return;
    try {
      show({
        title: TITLE,
        message: `Resuming in ${Math.ceil(left / 1000)}s... (${remaining} tasks remaining)`,
        variant: "warning",
        duration: toastDuration,
      });
    } catch {
      // as above
    }
    // The next whole second before the end.
    const next = entry.until - (Math.ceil(left / 1000) - 1) * 1000;
    if (next < entry.until) entry.tick = clock.setTimer(next, () => tick(session, remaining));
  }

  function forget(session: string): void {
    counting.get(session)?.tick?.cancel();
    counting.delete(session);
  }
}

export type Toasts = ReturnType<typeof createToasts>;
