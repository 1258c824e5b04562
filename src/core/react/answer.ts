import { IGNORED, type IgnoredWhy, type Reply } from "./reaction.ts";

/** What a tool of ours answers to the model: `ok` false is marked as an error where the host can. */
export interface ToolAnswer {
  readonly ok: boolean;
  readonly text: string;
}

export function answerToModel(reply: Reply): ToolAnswer {
  switch (reply.type) {
    case "done":
      return { ok: true, text: reply.text };
    case "refused":
      return { ok: false, text: reply.refusal.message };
    case "ignored":
      return { ok: false, text: TO_MODEL[reply.why] ?? IGNORED[reply.why] };
    case "checking":
    case "decided":
      return { ok: false, text: "The list gave no answer. Call list_todos to see it." };
  }
}

const TO_MODEL: Partial<Record<IgnoredWhy, string>> = {
  no_run: "There are no todos. Write the list first with write_todos.",
  run_ended: "Every todo is finished. If there is more to do, append it with write_todos.",
};
