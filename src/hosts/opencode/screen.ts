import { countNote } from "../../core/proof/index.ts";
import type { StopReason } from "../../core/reason/index.ts";
import { visible } from "../../core/text/index.ts";
import { decisionText } from "../../core/words/index.ts";
import { type Clock, createCountdownTicks, type Notice } from "../../engine/index.ts";
import type { Driver } from "./capabilities.ts";
import type { Client, ToastBody } from "./payload.ts";

const TITLE = "tildone";
const TICK_MS = 900;

/** What the human sees: toasts where there is a screen, lines on standard error under `opencode run`. Never the transcript. */
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
    const text = notice.type === "text" ? notice.text : stopText(notice, why);
    if (text === undefined || last.get(session) === text) return; // the same stop again is no news
    last.set(session, text);
    const isGood = notice.type === "stopped" && (notice.reason === "all_done" || notice.reason === "done_unproven");
    say(text, isGood ? "success" : "warning");
  }

  function say(message: string, variant: ToastBody["variant"] = "warning"): void {
    if (driver === "loop") process.stderr.write(`tildone: ${visible(message)}\n`);
    else toast({ title: TITLE, message, variant });
  }

  /** There may be no screen, and then nobody misses it. */
  function toast(body: ToastBody): void {
    new Promise((done) => done(client.tui.showToast({ body }))).catch(() => {});
  }
}

export type Screen = ReturnType<typeof createScreen>;

function stopText({ reason, run }: Notice & { type: "stopped" }, why: string | undefined): string | undefined {
  if (reason === "disabled" || reason === "no_todos") return undefined;
  const { decision } = run.ledger;
  const said = why ?? (decision?.type === "stop" ? decisionText(decision) : reason);
  return [said, countNote(run), HOW_TO_GO_ON[reason]].filter(Boolean).join(" ");
}

const HOW_TO_GO_ON: Partial<Record<StopReason, string>> = {
  held: "/unhold continues.",
  interrupted: "Send a message or /unhold to continue.",
  no_progress: "Send a hint to continue.",
  question: "Send your answer to continue.",
  provider_error: "/unhold tries again.",
  rate_limited: "/unhold tries again.",
};
