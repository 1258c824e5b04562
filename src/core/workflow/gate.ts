import { clipLine } from "../text/index.ts";
import { type PhaseDefinition, TOOL_GROUPS, type ToolGroup, type ToolRules } from "./definition.ts";
import { NEVER_GATED } from "./never-gated.ts";
import { currentPhase, type WorkflowState } from "./state.ts";
import { fill } from "./template.ts";

/**
 * What a host says of one of its tools. `@control` marks its own stop, goal and question tools: those are never gated,
 * or a phase could take the user's brake away. Authors cannot write it.
 */
export type ToolKind = ToolGroup | "@control";

export type Gate = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export function gate(state: WorkflowState | undefined, tool: string, kinds: readonly ToolKind[]): Gate {
  if (state?.status !== "active") return { allowed: true };
  if (kinds.includes("@control") || NEVER_GATED.some((name) => name === tool)) return { allowed: true };
  const current = currentPhase(state);
  if (!current) return { allowed: false, reason: definitionMissing(tool) };
  if (permits(current.phase.tools, tool, kinds)) return { allowed: true };
  const reason = fill<"blockReasonTemplate">(current.root.blockReasonTemplate ?? BLOCK_REASON, {
    workflowName: current.root.name,
    phaseName: current.phase.name,
    toolName: clipLine(tool, 100),
    allowedTools: allowedTools(current.phase.tools),
  });
  return { allowed: false, reason };
}

/** `all except: a, b`, or the list of what is allowed. */
export function allowedTools(rules: ToolRules): string {
  if (rules.rule === "all") return "all";
  return rules.rule === "except" ? `all except: ${rules.tools.join(", ")}` : rules.tools.join(", ");
}

/**
 * The author speaks in groups and leaves `@write` out: a changed workspace then trips the wire. Rules that only name
 * tools do not: such phases forbid the agent its own editing and let others write on purpose.
 * `writers` are the host's tools that write; naming one of them in a whitelist allows writing.
 */
export function forbidsWriting({ tools }: PhaseDefinition, writers: readonly string[]): boolean {
  if (tools.rule === "all") return false;
  if (tools.rule === "except") return tools.tools.includes("@write");
  const speaksInGroups = tools.tools.some((entry) => TOOL_GROUPS.some((group) => group === entry));
  return speaksInGroups && !tools.tools.includes("@write") && !writers.some((tool) => isNamed(tools.tools, tool));
}

/** A blacklist stops a tool of any named group; a whitelist lets a tool through only if all its groups are named. */
function permits(rules: ToolRules, tool: string, kinds: readonly ToolKind[]): boolean {
  if (rules.rule === "all") return true;
  const named = isNamed(rules.tools, tool);
  if (rules.rule === "except") return !named && !kinds.some((kind) => rules.tools.includes(kind));
  return named || (kinds.length > 0 && kinds.every((kind) => rules.tools.includes(kind)));
}

/** Hosts spell the same tool `edit` and `Edit`; a rule must not open because of a capital letter. */
function isNamed(entries: readonly string[], tool: string): boolean {
  return entries.some((entry) => matches(entry.toLowerCase(), tool.toLowerCase()));
}

/** `*` stands for any characters. Pieces are found left to right, so no pattern can take long. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let from = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return from <= name.length - last.length;
}

const BLOCK_REASON = `[workflow] "{toolName}" is not available in the phase {phaseName} of {workflowName}.
Available here: {allowedTools}, besides the todo tools and workflow_step.
Do what the phase asks with these; when it is finished, call workflow_step with action 'next'.`;

const definitionMissing = (tool: string): string =>
  `[workflow] "${clipLine(tool, 100)}" is blocked: a workflow is active, but its definition cannot be read, so nothing says what is allowed.
Call workflow_step with action 'status' to see it, or with action 'cancel' to end the workflow; the user may use /cancel-workflow.`;
