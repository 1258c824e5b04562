import { stopRow } from "../reason/index.ts";
import type { NewEvent, Notification, NotifyKind, Run } from "../run/index.ts";
import { kindOfStop } from "./kind-of.ts";

export interface News extends Pick<Notification, "reason" | "about" | "digest"> {
  readonly kind: NotifyKind;
}

/**
 * What of these events you want to hear of while you look away. Events that were just appended, and the run after them: what was
 * told once is no news when the log is read again.
 */
export const newsIn = (run: Run, events: readonly Pick<NewEvent, "event">[]): readonly News[] =>
  events.flatMap(({ event }): readonly News[] => {
    switch (event.type) {
      case "approval.requested": {
        const { call, digest } = event.approval;
        return [{ kind: "approval", reason: "approval", about: call, ...(digest !== undefined && { digest }) }];
      }
      case "question.opened":
        // A prompt that you opened yourself between two turns is no news, and neither is the one that asks about a call.
        return run.ledger.turn !== undefined && run.ledger.approvals.length === 0
          ? [{ kind: "question", reason: "question", about: event.id }]
          : [];
      case "decision.made": {
        const { decision } = event;
        if (decision.type !== "stop" || stopRow(decision.reason).reaches !== "away") return [];
        return [{ kind: kindOfStop(decision.reason), reason: decision.reason }];
      }
      default:
        return [];
    }
  });

/** Why it is no news any more; undefined: it still is. */
export function staleBecause(run: Run, { kind, reason, about, digest }: Notification): string | undefined {
  const { approvals, questions, decision, boundary } = run.ledger;
  if (kind === "approval")
    return approvals.some((asked) => asked.call === about && asked.digest === digest)
      ? undefined
      : "it was answered before the notification left";
  if (kind === "question" && about !== undefined)
    return questions.includes(about) ? undefined : "the question was answered before the notification left";
  const stands = decision?.type === "stop" && decision.reason === reason;
  const isHere = run.status === "ended" || (boundary?.status === "stopped" && run.ledger.turn === undefined);
  return stands && isHere ? undefined : "the run continued before the notification left";
}
