import { stoppedText } from "../../core/words/index.ts";
import { type Clock, createCountdownTicks, type Notice } from "../../engine/index.ts";
import type { Toast, TodoContinuationConfig } from "./options.ts";

const TITLE = "Todo Continuation";

/** What the user sees: the countdown second by second, and why the run stopped. */
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

  function stopped({ reason, run }: Notice & { type: "stopped" }, why?: string): void {
    const told = stoppedText(run, reason, { why, hasCommands: false });
    if (told) say(told.text, told.tone);
  }
}

export type Toasts = ReturnType<typeof createToasts>;
