import { stopRow, waitRow } from "../reason/index.ts";
import type { NudgeKind, StoredDecision } from "./decision.ts";

/** What was decided and why, in one sentence: for status lines, notices and `tildone why`. */
export function decisionText(decision: StoredDecision): string {
  switch (decision.type) {
    case "continue": {
      const { why, does } = CONTINUES[decision.kind];
      return decision.after > 0 ? `${why}: continuing in ${Math.ceil(decision.after / 1000)} s.` : `${why}: ${does}.`;
    }
    case "wait": {
      const { says, failed } = waitRow(decision.reason);
      return decision.detail && failed !== undefined ? `${withDetail(failed, decision.detail)} Retrying soon.` : says;
    }
    case "stop":
      return withDetail(stopRow(decision.reason).says, decision.detail);
  }
}

/** What you can do about it; empty where nothing is needed. */
export const nextStepText = (decision: StoredDecision): string =>
  decision.type === "stop" ? stopRow(decision.reason).next : "";

const CONTINUES: Record<NudgeKind, { readonly why: string; readonly does: string }> = {
  todo: { why: "The agent stopped with open todos", does: "told it to continue" },
  phase: { why: "The agent stopped before the workflow ended", does: "told it to continue" },
  requirement: { why: "No todo covers a requirement", does: "asked the agent to plan it" },
  write_list: { why: "There is no todo list yet", does: "asked the agent to write one" },
  question: { why: "The agent ended with a question", does: "reminded it to ask you properly or block the todo" },
  wind_down: { why: "The budget is spent", does: "gave the agent one last turn to record what is left" },
};

function withDetail(says: string, detail: string | undefined): string {
  if (!detail) return says;
  const text = detail.trim();
  return `${says.replace(/\.$/, "")}: ${text}${/[.!?…。？！"”]$/u.test(text) ? "" : "."}`;
}
