import { randomUUID } from "node:crypto";
import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { describeTrust } from "../../../compose/index.ts";
import { currentPhase, initialMessage, sessionName, type WorkflowState } from "../../../core/workflow/index.ts";
import { type Found, findWorkflow, listWorkflows, userWorkflows } from "../../../workflows/index.ts";
import type { BoundSession } from "../bound-session.ts";
import { info, type Said, type SessionCommand, warning } from "./command.ts";

export const workflow: SessionCommand = {
  name: "workflow",
  description: "Work through phases: /workflow <name> <description>; without words it lists what there is",
  complete: async (prefix, session) => {
    const library = await session.workflows();
    return userWorkflows(library)
      .filter(({ definition }) => definition.commandName.startsWith(prefix))
      .map(({ definition: { commandName, name } }) => ({
        value: `${commandName} `,
        label: commandName,
        description: name,
      }));
  },
  run: async (args, session, ctx) => {
    const [, name = "", description = ""] = /^(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
    if (name === "")
      return info(`Usage: /workflow <name> <description>\n\n${listWorkflows(await session.workflows())}`);
    const found = await find(name, session, ctx);
    if (found.status === "not_found") return warning(found.message);
    if (description.trim() === "") return warning(`Usage: /workflow ${name} <description>`);
    const active = session.run()?.plan.workflow;
    if (active?.status === "active" && !(await mayReplace(active, session, ctx))) return notReplaced(active, ctx);
    return start(found.start, description, session);
  },
};

export const cancelWorkflow: SessionCommand = {
  name: "cancel-workflow",
  description: "End the active workflow at once",
  run: async (_args, session) => {
    if (session.run()?.plan.workflow?.status !== "active") return warning("No active workflow to cancel.");
    const reply = await session.tell({ type: "workflow.step", action: "cancel", by: "human" });
    return reply.type === "refused" ? warning(reply.refusal.message) : undefined; // the notice says it
  },
};

const canAsk = ({ mode }: ExtensionCommandContext): boolean => mode === "tui" || mode === "rpc";

/** Of what a dialog shows whole. */
const MOST_LINES = 100;

/** A workflow of a project that nobody trusted yet: the human decides, where there is one to ask. */
async function find(name: string, session: BoundSession, ctx: ExtensionCommandContext): Promise<Found> {
  const library = await session.workflows();
  const found = findWorkflow(library, name);
  if (found.status === "found" || found.why !== "untrusted") return found;
  const trust = await session.projectTrust();
  if (!trust || !canAsk(ctx)) return found;
  const lines = describeTrust(trust);
  if (lines.length > MOST_LINES) return found; // it says what to do: `tildone trust` has the room to show it
  const question = `${lines.join("\n")}\n\nThese files may run commands on this machine. Trust them as they are now?`;
  if (!(await ctx.ui.confirm("Trust this project?", question)) || !trust.trust()) return found;
  return findWorkflow(await session.workflows(), name);
}

async function mayReplace(
  active: WorkflowState,
  session: BoundSession,
  ctx: ExtensionCommandContext,
): Promise<boolean> {
  if (!canAsk(ctx)) return session.replacesWorkflows;
  const phase = currentPhase(active)?.phase.name ?? "unknown";
  return ctx.ui.confirm("Workflow already active", `Phase: ${phase}\nTask: ${active.description}\n\nStart a new one?`);
}

const notReplaced = ({ description }: WorkflowState, ctx: ExtensionCommandContext): Said =>
  canAsk(ctx)
    ? info("The active workflow goes on.")
    : warning(
        `A workflow is active: "${description}". Give --til-done-replace-workflow to put the new one in its place, or /cancel-workflow first.`,
      );

async function start(
  found: Extract<Found, { status: "found" }>["start"],
  description: string,
  session: BoundSession,
): Promise<Said | undefined> {
  const taskId = `wf-${session.tildone.clock.now()}-${randomUUID().slice(0, 6)}`;
  await session.tell({ type: "human.spoke" });
  const reply = await session.tell({
    type: "workflow.start",
    start: { ...found, description, taskId, whenActive: "replace" },
  });
  if (reply.type === "refused") return warning(reply.refusal.message);
  const state = session.run()?.plan.workflow;
  if (!state || reply.type !== "done") return warning("The workflow did not start.");
  session.rename(sessionName(state));
  session.say(initialMessage(state));
  return undefined;
}
