import type { RunEvent } from "../../core/run/index.ts";

/** Counts what happened, from the log and not from the script. */
export function createTally() {
  const counts = { sentOn: 0, asked: 0, refused: 0, failed: 0, approvals: 0, checks: 0 };
  let lastWords = "";
  return {
    said(text: string): void {
      lastWords = text.trim();
    },
    callFailed(): void {
      counts.failed++;
    },
    logged(event: RunEvent): void {
      if (event.type === "decision.made" && event.decision.type === "continue")
        lastWords.endsWith("?") ? counts.asked++ : counts.sentOn++;
      if (event.type === "approval.answered") counts.approvals++;
      if (event.type === "round.ended") {
        counts.checks += event.receipts.filter(({ status }) => status === "passed").length;
        counts.refused += event.receipts.filter(({ status }) => status === "failed").length;
      }
    },
    /** `checked`: how the checks came to the todos. */
    report: (todos: number, checked = ", each with a check that tildone ran itself"): readonly string[] => [
      `${todos} todos${checked}; ${many(counts.checks, "check")} passed`,
      `told to continue ${many(counts.sentOn + counts.asked, "time")}: stopped early ${many(counts.sentOn, "time")}, asked permission ${many(counts.asked, "time")}`,
      `${many(counts.refused, "claim")} refused: the check still failed`,
      `${many(counts.failed, "tool call")} failed; the run continued`,
      ...(counts.approvals > 0 ? [`${many(counts.approvals, "call")} needed your approval`] : []),
    ],
  };
}

const many = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
