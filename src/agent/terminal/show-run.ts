import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import { stopRow } from "../../core/reason/index.ts";
import { decisionText, type Envelope } from "../../core/run/index.ts";
import type { Update } from "../../scheduler/index.ts";
import { listWidget } from "./list-widget.ts";
import type { OpenSession } from "./open-session.ts";
import { callsText, continuationText } from "./terminal-status.ts";

/** What the terminal shows besides the conversation: the list, the calls, and whether the agent is told to continue. Ends with what it gives. */
export function showRun(
  { tildone, session, scheduler }: OpenSession,
  ui: ExtensionContext["ui"],
  alert: (text: string) => void,
): () => void {
  const { engine, config } = tildone;
  const run = () => engine.run(session);
  show();
  const ends = [
    engine.watch((key, _run, events) => {
      if (key !== session) return;
      show();
      const news = events.flatMap(newsIn).at(-1);
      if (news !== undefined) alert(news);
    }),
    scheduler.observe((update) => {
      if (SEEN.has(update.type)) showStatus();
      if (update.type === "call.entered" && update.call.status === "awaiting_approval")
        alert(`${update.call.request.tool} waits for your answer`);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };

  function show(): void {
    const isShown = listWidget(run(), 1) !== undefined;
    ui.setWidget(
      "tildone-list",
      isShown ? ({ terminal }) => clipped(() => listWidget(run(), itemsIn(terminal.rows))) : undefined,
    );
    showStatus();
  }

  /** One entry, because pi sorts and joins them with nothing but a space; before it stands how far the list is. */
  function showStatus(): void {
    const { calls, mode } = scheduler.snapshot();
    const parts = [continuationText(config.off, run()), mode === "ask" ? undefined : mode, callsText(calls)];
    ui.setStatus(STATUS_KEY, parts.filter((part) => part !== undefined).join(" · "));
  }
}

/** A line that does not fit is cut where it can be seen, not wrapped. */
const clipped = (lines: () => readonly string[] | undefined): Component => ({
  render: (width) => (lines() ?? []).map((line) => ` ${truncateToWidth(line, width - 2, "…")}`),
  invalidate: () => {},
});

/** In a low terminal the conversation needs the room. */
const itemsIn = (rows: number): number => (rows < 30 ? 3 : 6);

export const STATUS_KEY = "tildone";

/** What changes what stands in the status line. */
const SEEN: ReadonlySet<Update["type"]> = new Set(["call.entered", "calls.settled", "mode.changed"]);

/** A stop that a user who looked away should hear of; what they did themselves is no news to them. */
function newsIn({ event }: Envelope): readonly string[] {
  if (event.type !== "decision.made" || event.decision.type !== "stop") return [];
  return stopRow(event.decision.reason).reaches === "away" ? [decisionText(event.decision)] : [];
}
