import { CONTEXT_MODES, type PhaseDefinition, TOOL_GROUPS, type ToolRules } from "../core/workflow/index.ts";
import { Fields, isMapping, type Note, noteInto } from "./fields.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import { LIMITS } from "./limits.ts";
import { described, isError, type Mistake } from "./problem.ts";
import { readChecks, readTodos } from "./read-checks.ts";
import { warnOfVariables } from "./warn-of-variables.ts";
import type { ParseYaml } from "./yaml-text.ts";

export interface ReadPhase {
  /** Absent when there is an error among the mistakes. */
  readonly phase?: PhaseDefinition;
  readonly mistakes: readonly Mistake[];
}

/** One phase file: a YAML header between `---` lines, and the instructions below it. */
export function readPhase(text: string, parse: ParseYaml): ReadPhase {
  const parts = splitFrontmatter(text);
  if (!parts) return failed(1, "expected a header between two lines of ---, with id, name and emoji");
  const yaml = parse(parts.header, parts.firstLine);
  const [unreadable] = yaml.mistakes;
  if (unreadable) return failed(unreadable.line, `expected YAML in the header: ${unreadable.message}`);
  const value = yaml.value ?? {};
  if (!isMapping(value)) return failed(parts.firstLine, `expected fields in the header, got ${described(value)}`);

  const mistakes: Mistake[] = [];
  const note = noteInto(mistakes, yaml.lineOf);
  const fields = new Fields(value, [], note);
  const phase: PhaseDefinition = {
    id: fields.neededText("id", LIMITS.nameCharacters),
    name: fields.neededText("name", LIMITS.nameCharacters),
    emoji: fields.neededText("emoji", LIMITS.nameCharacters),
    instructions: parts.body,
    tools: readRules(fields, note),
    availableProfiles: fields.words("availableProfiles", LIMITS.listItems) ?? [],
    checks: readChecks(fields, [], note),
    todos: readTodos(fields, [], note),
    ...conversationOf(fields),
  };
  fields.warnOfOthers();
  if (parts.body === "") mistakes.push(inBody("error", "expected the instructions below the header, got nothing"));
  warnOfVariables("instructions", parts.body, (message) => mistakes.push(inBody("warning", message)));
  return mistakes.some(isError) ? { mistakes } : { phase, mistakes };
}

function conversationOf(fields: Fields): Pick<PhaseDefinition, "context"> {
  const context = fields.choice("context", CONTEXT_MODES);
  return context === undefined ? {} : { context };
}

/** `tools:` with a blacklist or a whitelist. Whatever is unclear is refused: to take it as "all" would open a gate. */
function readRules(fields: Fields, note: Note): ToolRules {
  const value = fields.raw("tools") ?? undefined;
  if (value === undefined) return { rule: "all" };
  if (!isMapping(value)) {
    fields.wrong("tools", `expected blacklist or whitelist, got ${described(value)}`);
    return { rule: "all" };
  }
  const rules = new Fields(value, ["tools"], note);
  const [except, only] = [toolList(rules, "blacklist", note), toolList(rules, "whitelist", note)];
  rules.warnOfOthers();
  if (except && only) fields.wrong("tools", "expected either blacklist or whitelist, got both");
  if (only) return { rule: "only", tools: only };
  return except ? { rule: "except", tools: except } : { rule: "all" };
}

function toolList(rules: Fields, name: "blacklist" | "whitelist", note: Note): readonly string[] | undefined {
  if (rules.raw(name) === null) return rules.wrong(name, "expected a list, got an empty value");
  const tools = rules.words(name, LIMITS.listItems);
  for (const [index, tool] of tools?.entries() ?? [])
    if (tool.startsWith("@") && !TOOL_GROUPS.some((group) => group === tool))
      note("error", ["tools", name, index], `expected a tool or ${TOOL_GROUPS.join(", ")}, got ${described(tool)}`);
  return tools;
}

const failed = (line: number, message: string): ReadPhase => ({ mistakes: [{ severity: "error", line, message }] });
const inBody = (severity: Mistake["severity"], message: string): Mistake => ({ severity, field: "body", message });
