import { countNote } from "../../core/proof/index.ts";
import type { StopReason } from "../../core/reason/index.ts";
import { decisionText } from "../../core/words/index.ts";
import { type Clock, createCountdownTicks, type Notice } from "../../engine/index.ts";
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
  const ticks = createCountdownTicks(clock, (_session, { seconds, remaining }) =>
    attempt({
      title: TITLE,
      message: `Resuming in ${seconds}s... (${remaining} tasks remaining)`,
      variant: "warning",
      duration: toastDuration,
    }),
  );

  return { ...ticks, say, stopped };

  function say(message: string, variant: Toast["variant"] = "warning"): void {
    attempt({ title: TITLE, message, variant });
  }

  function attempt(toast: Toast): void {
    try {
      show(toast);
    } catch {
      // A toast that cannot be shown is no reason to stop, and there is nowhere else to say so.
    }
  }

  function stopped({ reason, run }: Notice & { type: "stopped" }, detail?: string): void {
    if (SILENT.includes(reason)) return;
    const { decision } = run.ledger;
    const said = detail ?? (decision?.type === "stop" ? decisionText(decision) : reason);
    say(
      [said, countNote(run)].filter(Boolean).join(" "),
      reason === "all_done" || reason === "done_unproven" ? "success" : "warning",
    );
  }
}

export type Toasts = ReturnType<typeof createToasts>;
