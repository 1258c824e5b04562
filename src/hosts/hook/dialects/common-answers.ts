import type { Answer } from "../happening.ts";

/** What Claude Code and Codex accept alike. Codex refuses an answer with any field it does not know, so there is none. */
export function blocksOrTells(name: string, answer: Answer): object | undefined {
  switch (answer.type) {
    case "end":
      return answer.free ? undefined : blocksOrTells(name, { type: "deny", reason: answer.reason });
    case "go_on":
      return { decision: "block", reason: answer.reason };
    case "deny":
      return name === "PreToolUse"
        ? {
            hookSpecificOutput: {
              hookEventName: name,
              permissionDecision: "deny",
              permissionDecisionReason: answer.reason,
            },
          }
        : { decision: "block", reason: answer.reason };
    case "tell":
      return { hookSpecificOutput: { hookEventName: name, additionalContext: answer.context } };
    case "rewrite":
      return {
        hookSpecificOutput: { hookEventName: name, permissionDecision: "allow", updatedInput: answer.args },
      };
  }
}
