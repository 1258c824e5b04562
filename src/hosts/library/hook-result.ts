import { IGNORED, type Reply } from "../../core/react/index.ts";
import { decisionText } from "../../core/run/index.ts";
import type { HookResult } from "./options.ts";

/** What the program hears of an idle session: what was decided, or why nothing was. */
export function resultOf(reply: Reply): HookResult {
  if (reply.type === "ignored") return { status: "ignored", reason: reply.why, message: IGNORED[reply.why] };
  if (reply.type !== "decided") return ignored("Nothing was decided.");
  const { decision } = reply;
  const message = decisionText(decision);
  switch (decision.type) {
    case "continue":
      return { status: "counting_down", reason: decision.kind, message };
    case "wait":
      return { status: "waiting", reason: decision.reason, message };
    case "stop":
      return { status: "stopped", reason: decision.reason, message };
  }
}

export const ignored = (message: string): HookResult => ({ status: "ignored", reason: "nothing_to_do", message });
