import type { Answer } from "./happening.ts";

/** What Claude Code and Codex accept alike. Codex refuses an answer with any field it does not know, so there is none. */
export const blocksOrTells = (name: string, answer: Answer): object | undefined =>
  withMessage(blockOrTell(name, answer), answer);

/** All three hosts show it to you and not to the agent. */
export const withMessage = (output: object | undefined, { show }: Answer): object | undefined =>
  show === undefined ? output : { ...output, systemMessage: show };

export const toldAt = (name: string, context: string): object => ({
  hookSpecificOutput: { hookEventName: name, additionalContext: context },
});

function blockOrTell(name: string, answer: Answer): object | undefined {
  switch (answer.type) {
    case "show":
      return {};
    case "end":
      return answer.free ? undefined : blockOrTell(name, { type: "deny", reason: answer.reason });
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
      return toldAt(name, answer.context);
    case "rewrite":
      return {
        hookSpecificOutput: { hookEventName: name, permissionDecision: "allow", updatedInput: answer.args },
      };
  }
}
