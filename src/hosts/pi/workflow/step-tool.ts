import type { AgentToolResult, Theme, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import type { TSchema } from "typebox";
import { IGNORED, type Reply } from "../../../core/react/index.ts";
import { WORKFLOW_TOOL } from "../../../core/words/index.ts";
import { NO_WORKFLOW, refusal, STEP_ACTIONS, type StepAction } from "../../../core/workflow/index.ts";
import type { FindList } from "../tools/index.ts";

export type StepDetails = Readonly<Record<string, unknown>>;

export function stepTool(listOf: FindList): ToolDefinition<TSchema, StepDetails> {
  return {
    name: WORKFLOW_TOOL.name,
    label: WORKFLOW_TOOL.label,
    description: WORKFLOW_TOOL.description,
    parameters: WORKFLOW_TOOL.parameters as unknown as TSchema,
    // A phase must not change under the calls of its batch: each is judged when its turn comes.
    executionMode: "sequential",
    async execute(_id, args, _signal, _onUpdate, ctx) {
      const { action, summary } = readStep(args);
      const said = typeof summary === "string" && summary.trim() !== "" ? { summary } : {};
      const reply = await listOf(ctx).tell({ type: "workflow.step", action, by: "model", ...said });
      const { text, details } = answered(reply, action);
      return { content: [{ type: "text", text }], details };
    },
    renderCall: (args, theme) =>
      new Text(
        `${theme.fg("toolTitle", theme.bold(WORKFLOW_TOOL.name))} ${theme.fg("muted", actionOf(args) ?? "")}`,
        0,
        0,
      ),
    renderResult: (result, { expanded }, theme, { isError }) =>
      new Text(paintedStep(result, { isError, expanded }, theme), 0, 0),
  };
}

/** Refusals, cancelling and the end are shown whole; of everything else the first line is enough. */
export function paintedStep(
  { content, details }: AgentToolResult<StepDetails | undefined>,
  { isError, expanded }: { readonly isError: boolean; readonly expanded: boolean },
  theme: Pick<Theme, "fg">,
): string {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  if (isError) return theme.fg("error", text);
  const isWhole = expanded || details?.action === "cancel" || details?.to === "DONE";
  return theme.fg("toolOutput", isWhole ? text : (text.split("\n")[0] ?? ""));
}

/** pi marks a result as an error only when the tool throws. */
function answered(reply: Reply, action: StepAction): { readonly text: string; readonly details: StepDetails } {
  switch (reply.type) {
    case "done":
      return { text: reply.text, details: reply.details ?? {} };
    case "refused":
      throw new Error(reply.refusal.message);
    case "ignored":
      if (reply.why !== "no_run" && reply.why !== "run_ended") throw new Error(IGNORED[reply.why]);
      if (action !== "status") throw new Error(refusal("no_workflow", { action }).message);
      return { text: NO_WORKFLOW, details: { action, active: false } };
    case "checking":
    case "decided":
      throw new Error("The workflow gave no answer. Call workflow_step with action 'status' to see it.");
  }
}

function readStep(args: unknown): { readonly action: StepAction; readonly summary?: unknown } {
  const action = actionOf(args);
  if (action === undefined) throw new Error(`'action' must be one of ${STEP_ACTIONS.join(", ")}.`);
  return { action, summary: (args as { readonly summary?: unknown }).summary };
}

function actionOf(args: unknown): StepAction | undefined {
  const given = typeof args === "object" && args !== null && "action" in args ? args.action : undefined;
  return STEP_ACTIONS.find((action) => action === given);
}
