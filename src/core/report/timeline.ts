import { stopRow } from "../reason/index.ts";
import type { Envelope } from "../run/index.ts";
import { newest } from "./newest.ts";

/** What happened when, as bars and marks. */
export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Span[];
  readonly marks: readonly Mark[];
}
export interface Span {
  readonly lane: "turns" | "checks";
  readonly from: number;
  readonly to: number;
  /** How it ended. */
  readonly end: "good" | "bad" | "open";
  readonly says: string;
}
export interface Mark {
  readonly lane: "decisions" | "human";
  readonly at: number;
  /** A stop is what it means: done, yours to decide, or failed. */
  readonly kind: "continue" | "wait" | "human" | "done" | "needs_you" | "failed";
  readonly says: string;
}

const MOST = 1000;

/** What a stop means: the verdict and its dot on the timeline have the same colour. */
export function meaningOf(exit: number): "done" | "needs_you" | "failed" {
  if (exit === 0) return "done";
  return exit === 5 ? "needs_you" : "failed";
}

/** Drawn as the log is read, event by event. */
export function collectTimeline() {
  const spans = newest<Span>(MOST);
  const marks = newest<Mark>(MOST);
  const open = new Map<string, { readonly lane: Span["lane"]; readonly from: number; readonly says: string }>();
  return {
    add({ at, event }: Envelope): void {
      switch (event.type) {
        case "turn.started":
          open.set("turn", { lane: "turns", from: at, says: `turn ${event.turn} (${event.cause})` });
          break;
        case "turn.resumed":
          open.set("turn", { lane: "turns", from: at, says: `turn ${event.turn} (running)` });
          break;
        case "turn.ended":
          close(
            "turn",
            at,
            event.outcome === "completed" ? "good" : "bad",
            `: ${event.failure?.kind ?? event.outcome}`,
          );
          break;
        case "turn.cut":
          close("turn", at, "bad", ": cut off");
          break;
        case "round.began":
          open.set("round", { lane: "checks", from: at, says: `checks (${event.purpose})` });
          break;
        case "round.ended": {
          const failed = event.receipts.filter(({ status }) => status !== "passed").length;
          const end = event.cut === undefined && failed === 0 ? "good" : "bad";
          close("round", at, end, `: ${event.cut ?? (failed === 0 ? "passed" : `${failed} did not pass`)}`);
          break;
        }
        case "decision.made": {
          const { decision } = event;
          const reason = decision.type === "continue" ? decision.kind : decision.reason;
          const kind = decision.type === "stop" ? meaningOf(stopRow(decision.reason).exit) : decision.type;
          marks.add({ lane: "decisions", at, kind, says: `${decision.type} ${reason}` });
          break;
        }
        default:
          if (event.type.startsWith("human."))
            marks.add({ lane: "human", at, kind: "human", says: event.type.slice("human.".length) });
      }
    },
    drawn(from: number, to: number): Timeline {
      const unended = [...open.values()].map(({ lane, from: since, says }) => ({
        lane,
        from: since,
        to,
        end: "open" as const,
        says,
      }));
      return { from, to, spans: [...spans.all(), ...unended].slice(-MOST), marks: marks.all() };
    },
  };

  function close(key: string, at: number, end: Span["end"], more: string): void {
    const begun = open.get(key);
    if (!begun) return;
    open.delete(key);
    spans.add({ lane: begun.lane, from: begun.from, to: at, end, says: `${begun.says}${more}` });
  }
}
