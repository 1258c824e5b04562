import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { isKeyRelease, parseKey } from "@earendil-works/pi-tui";
import type { Run } from "../../core/run/index.ts";
import type { Clock, Timer } from "../../engine/index.ts";

export const COUNTDOWN_WIDGET = "til-done-countdown";

/**
 * Shows a running countdown above the editor and watches the keyboard while it lasts. pi gives a handler at the
 * boundary no abort signal, so the keyboard is the only way to see that the user wants to stop.
 */
export function createCountdown(ctx: ExtensionContext, clock: Clock, interrupt: () => void) {
  let until: number | undefined;
  let tick: Timer | undefined;
  let unwatch: (() => void) | undefined;

  return { follow, clear };

  function follow(run: Run): void {
    const { boundary, turn } = run.ledger;
    const end = !turn && boundary?.status === "countdown" && run.status === "live" ? boundary.until : undefined;
    if (end === undefined || end <= clock.now()) clear();
    else if (end !== until) begin(end);
  }

  function begin(end: number): void {
    clear();
    until = end;
    unwatch = ctx.ui.onTerminalInput((data) => {
      if (isKey(data)) interrupt();
      return undefined;
    });
    draw();
  }

  function draw(): void {
    if (until === undefined) return;
    const left = Math.ceil((until - clock.now()) / 1000);
    if (left <= 0) return;
    ctx.ui.setWidget(COUNTDOWN_WIDGET, [`⏳ Auto-continuing in ${left}s... (type anything to interrupt)`], {
      placement: "aboveEditor",
    });
    tick = clock.setTimer(until - (left - 1) * 1000, draw);
  }

  function clear(): void {
    if (until === undefined) return;
    until = undefined;
    tick?.cancel();
    unwatch?.();
    ctx.ui.setWidget(COUNTDOWN_WIDGET, undefined);
  }
}

export type Countdown = ReturnType<typeof createCountdown>;

/** A press, not a release, and not an answer of the terminal to a question of pi's own. */
export function isKey(data: string): boolean {
  return !isKeyRelease(data) && (parseKey(data) !== undefined || !data.startsWith("\x1b"));
}
