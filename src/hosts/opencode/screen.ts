import { visible } from "../../core/text/index.ts";
import { stoppedText } from "../../core/words/index.ts";
import { type Clock, createCountdownTicks, type Notice } from "../../engine/index.ts";
import type { Driver } from "./capabilities.ts";
import type { Client, ToastBody } from "./payload.ts";

const TITLE = "tildone";
const TICK_MS = 900;

/** What the user sees: toasts where there is a screen, lines on standard error under `opencode run`. Never the transcript. */
export function createScreen(client: Pick<Client, "tui">, clock: Clock, driver: Driver) {
  const last = new Map<string, string>();
  const ticks = createCountdownTicks(clock, (_session, { seconds, remaining }) =>
    toast({
      title: TITLE,
      message: `Continuing in ${seconds} s: ${remaining} open`,
      variant: "warning",
      duration: TICK_MS,
    }),
  );

  return {
    follow: ticks.follow,
    say,
    show,
    forget(session: string): void {
      ticks.forget(session);
      last.delete(session);
    },
    dispose: ticks.forgetAll,
  };

  function show(session: string, notice: Notice, why?: string): void {
    const told =
      notice.type === "text"
        ? ({ text: notice.text, tone: "warning" } as const)
        : stoppedText(notice.run, notice.reason, { why, hasCommands: true });
    if (told === undefined || last.get(session) === told.text) return; // the same stop again is no news
    last.set(session, told.text);
    say(told.text, told.tone);
  }

  function say(message: string, variant: ToastBody["variant"] = "warning"): void {
    if (driver === "loop") process.stderr.write(`tildone: ${visible(message)}\n`);
    else toast({ title: TITLE, message, variant });
  }

  /** There may be no screen, and then nothing is missing. */
  function toast(body: ToastBody): void {
    new Promise((done) => done(client.tui.showToast({ body }))).catch(() => {});
  }
}

export type Screen = ReturnType<typeof createScreen>;
