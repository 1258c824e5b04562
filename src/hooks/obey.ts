import { markedTodos } from "../core/proof/index.ts";
import { plainList } from "../core/todo/index.ts";
import { decisionText } from "../core/words/index.ts";
import { initialMessage } from "../core/workflow/index.ts";
import type { Engine } from "../engine/index.ts";
import type { HookCommand } from "./command.ts";
import type { Answer } from "./happening.ts";
import type { StartWorkflow } from "./start-workflow.ts";

export interface Obeying {
  readonly engine: Engine;
  readonly session: string;
  readonly startWorkflow: (words: string) => Promise<StartWorkflow>;
}

/** Does what the human said to tildone. The prompt ends here, with our answer; only a workflow goes on to the agent. */
export async function obey({ name, words }: HookCommand, { engine, session, startWorkflow }: Obeying): Promise<Answer> {
  switch (name) {
    case "hold":
      return said(
        await engine.tell(session, { type: "human.hold", now: false }),
        "On hold. `tildone unhold` continues.",
      );
    case "unhold":
      return said(
        await engine.tell(session, { type: "human.resume" }),
        "No longer on hold. Send a message to continue.",
      );
    case "cancel-workflow":
      return said(
        await engine.tell(session, { type: "workflow.step", action: "cancel", by: "human" }),
        "The workflow is over.",
      );
    case "status":
      return heard(statusOf());
    case "workflow": {
      const start = await startWorkflow(words);
      if (!start.ok) return heard(start.message);
      await engine.tell(session, { type: "human.spoke" });
      const reply = await engine.tell(session, start.trigger);
      const state = engine.run(session)?.plan.workflow;
      if (reply.type !== "done" || !state) return said(reply, "The workflow did not start.");
      return { type: "tell", context: initialMessage(state) };
    }
  }

  function statusOf(): string {
    const run = engine.run(session);
    if (!run) return "There is no run in this session.";
    const { decision } = run.ledger;
    return [plainList(markedTodos(run)), decision ? decisionText(decision) : ""]
      .filter((part) => part !== "")
      .join("\n\n");
  }
}

const heard = (reason: string): Answer => ({ type: "deny", reason });

function said(reply: Awaited<ReturnType<Engine["tell"]>>, text: string): Answer {
  if (reply.type === "refused") return heard(reply.refusal.message);
  return heard(reply.type === "ignored" && reply.why === "no_run" ? "There is no run in this session." : text);
}
