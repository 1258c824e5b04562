import { type Check, PRIORITIES } from "../todo/index.ts";
import {
  CONTEXT_MODES,
  type Forest,
  type PhaseEntry,
  type PhaseTodo,
  SESSION_NAME,
  type ToolRules,
  type WorkflowDefinition,
} from "./definition.ts";
import type { Path, Segment } from "./path.ts";

/**
 * Definitions as they come back from a log. What does not have the form is left out, so that everything behind this
 * door may trust its types; a workflow with one unreadable phase is left out whole, because its indices would shift.
 */
export function readForest(value: unknown): Forest {
  return list(value).flatMap((item) => readWorkflow(item) ?? []);
}

export function readPath(value: unknown): Path {
  const segments = list(value).map(readSegment);
  return segments.every((segment) => segment !== undefined) ? segments : [];
}

/** Milliseconds that a date can hold. */
export function readTime(value: unknown): number {
  return typeof value === "number" && Math.abs(value) <= 8.64e15 ? value : 0;
}

export const readText = (value: unknown): string => (typeof value === "string" ? value : "");

function readSegment(value: unknown): Segment | undefined {
  const { workflowKey, phaseIndex, phaseId } = fields(value);
  if (typeof workflowKey !== "string" || typeof phaseId !== "string") return undefined;
  if (!isCount(phaseIndex)) return undefined;
  return { workflowKey, phaseIndex, phaseId };
}

function readWorkflow(value: unknown): WorkflowDefinition | undefined {
  const given = fields(value);
  const phases = list(given.phases).map(readEntry);
  if (typeof given.key !== "string" || typeof given.name !== "string") return undefined;
  if (phases.length === 0 || !phases.every((entry) => entry !== undefined)) return undefined;
  return {
    key: given.key,
    name: given.name,
    commandName: readText(given.commandName),
    show: given.show === "workflows" ? "workflows" : "user",
    initialMessage: readText(given.initialMessage),
    loopable: given.loopable !== false,
    sessionNamePrefix: readText(given.sessionNamePrefix),
    sessionNameMaxLength: isCount(given.sessionNameMaxLength)
      ? given.sessionNameMaxLength
      : SESSION_NAME.sessionNameMaxLength,
    ...optional("roleInstruction", given.roleInstruction),
    ...optional("advanceReminder", given.advanceReminder),
    ...optional("blockReasonTemplate", given.blockReasonTemplate),
    ...optional("notDoneReminder", given.notDoneReminder),
    ...optional("completionMessage", given.completionMessage),
    phases,
  };
}

function readEntry(value: unknown): PhaseEntry | undefined {
  const given = fields(value);
  if (typeof given.subworkflow === "string") return { subworkflow: given.subworkflow };
  const tools = readRules(given.tools);
  if (typeof given.id !== "string" || typeof given.name !== "string" || !tools) return undefined;
  const context = CONTEXT_MODES.find((mode) => mode === given.context);
  return {
    id: given.id,
    name: given.name,
    emoji: readText(given.emoji),
    instructions: readText(given.instructions),
    tools,
    availableProfiles: texts(given.availableProfiles),
    ...(context !== undefined && { context }),
    checks: list(given.checks).flatMap((check) => readCheck(check) ?? []),
    todos: list(given.todos).flatMap((todo) => readTodo(todo) ?? []),
  };
}

/** Rules that cannot be read make the phase unreadable: to take them as "all" would open a gate. */
function readRules(value: unknown): ToolRules | undefined {
  const { rule, tools } = fields(value);
  if (rule === "all") return { rule };
  if (rule === "except" || rule === "only") return Array.isArray(tools) ? { rule, tools: texts(tools) } : undefined;
  return undefined;
}

function readTodo(value: unknown): PhaseTodo | undefined {
  const { text, priority, checks, askFirst } = fields(value);
  if (typeof text !== "string") return undefined;
  return {
    text,
    priority: PRIORITIES.find((known) => known === priority) ?? "medium",
    checks: list(checks).flatMap((check) => readCheck(check) ?? []),
    askFirst: askFirst === true,
  };
}

function readCheck(value: unknown): Check | undefined {
  const { run, cwd, timeoutMs, by } = fields(value);
  if (typeof run !== "string" && !Array.isArray(run)) return undefined;
  return {
    run: typeof run === "string" ? run : texts(run),
    ...optional("cwd", cwd),
    ...(typeof timeoutMs === "number" ? { timeoutMs } : {}),
    by: by === "human" || by === "plan" ? by : "model",
  };
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown): readonly string[] => list(value).filter((item) => typeof item === "string");

function optional<K extends string>(name: K, value: unknown): { readonly [P in K]?: string } {
  return typeof value === "string" ? ({ [name]: value } as { [P in K]: string }) : {};
}
