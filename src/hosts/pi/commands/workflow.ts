import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { AutocompleteItem } from "@earendil-works/pi-tui";
import { describeTrust, startTrigger } from "../../../compose/index.ts";
import { info, type Order, type Said, warning } from "../../../core/command/index.ts";
import { currentPhase, initialMessage, sessionName, type WorkflowState } from "../../../core/workflow/index.ts";
import { type Found, findWorkflow, listWorkflows, userWorkflows } from "../../../workflows/index.ts";
import type { BoundSession } from "../bound-session.ts";

type WorkflowOrder = Order & { readonly type: "workflow" };

/** Names of workflows, as they are typed. */
export async function completeWorkflow(prefix: string, session: BoundSession): Promise<readonly AutocompleteItem[]> {
  const library = await session.workflows();
  return userWorkflows(library)
    .filter(({ definition }) => definition.commandName.startsWith(prefix))
    .map(({ definition: { commandName, name } }) => ({
      value: `${commandName} `,
      label: commandName,
      description: name,
    }));
}

export async function startWorkflow(
  order: WorkflowOrder,
  session: BoundSession,
  ctx: ExtensionCommandContext,
): Promise<Said | undefined> {
  const { name, description } = order;
  if (name === "") return info(`Usage: /workflow <name> <description>\n\n${listWorkflows(await session.workflows())}`);
  const found = await find(name, session, ctx);
  if (found.status === "not_found") return warning(found.message);
  if (description === "") return warning(`Usage: /workflow ${name} <description>`);
  const active = session.run()?.plan.workflow;
  const replaces = order.replaces || (await mayReplace(active, session, ctx));
  if (replaces === "kept") return info("The active workflow continues.");
  await session.tell({ type: "human.spoke" });
  const reply = await session.tell(startTrigger(found.start, { ...order, replaces }));
  if (reply.type === "refused") return warning(reply.refusal.message);
  const state = session.run()?.plan.workflow;
  if (!state || reply.type !== "done") return warning("The workflow did not start.");
  session.rename(sessionName(state));
  session.say(initialMessage(state));
  return undefined;
}

const canAsk = ({ mode }: ExtensionCommandContext): boolean => mode === "tui" || mode === "rpc";

/** Of what a dialog shows whole. */
const MOST_LINES = 100;

/** A workflow of a project that you have not trusted yet: the user decides, where there is one to ask. */
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

/** You are asked where you can be; elsewhere the flag says it, or the new one is refused. */
async function mayReplace(
  active: WorkflowState | undefined,
  { replacesWorkflows }: BoundSession,
  ctx: ExtensionCommandContext,
): Promise<boolean | "kept"> {
  if (active?.status !== "active" || !canAsk(ctx)) return replacesWorkflows;
  const phase = currentPhase(active)?.phase.name ?? "unknown";
  const question = `Phase: ${phase}\nTask: ${active.description}\n\nStart a new one?`;
  return (await ctx.ui.confirm("Workflow already active", question)) || "kept";
}
