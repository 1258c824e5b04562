import { digestOf } from "../../core/call/index.ts";
import { WORKFLOW_TOOL } from "../../core/words/index.ts";
import type { SessionRun } from "./session-run.ts";
import { TODO_TOOL_NAMES } from "./tools/index.ts";
import { commandOf, type EndedResult } from "./translate.ts";
import type { Turns } from "./turns.ts";

/** What becomes of the agent's calls. Touching the list or the workflow is no work, but a call like others when it is repeated. */
export function createCalls(own: SessionRun, turns: Turns) {
  const asked = new Map<string, unknown>();
  return { began, ended, over };

  function began(call: string, args: unknown): void {
    asked.set(call, args);
  }

  async function ended(call: string, tool: string, args: unknown, result: EndedResult): Promise<void> {
    asked.delete(call);
    const isOwn = TODO_TOOL_NAMES.includes(tool) || tool === WORKFLOW_TOOL.name;
    await tell(tool, args, result, isOwn ? "own" : "work");
  }

  /** pi tells of a call that it refused, or that could not be made, only here. */
  async function over(call: string, tool: string, result: EndedResult): Promise<void> {
    if (!asked.has(call)) return;
    const args = asked.get(call);
    asked.delete(call);
    await tell(tool, args, result, "own");
  }

  async function tell(tool: string, args: unknown, result: EndedResult, as: "work" | "own"): Promise<void> {
    const turn = turns.current()?.turn;
    const command = as === "work" ? commandOf(tool, args, result) : undefined;
    await own.tell({
      type: "call.seen",
      digest: digestOf(tool, args, result),
      tool,
      ...(as === "own" && { own: true }),
      turn,
      command,
    });
  }
}
