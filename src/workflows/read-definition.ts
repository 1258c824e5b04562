import { dirname, isAbsolute, join, win32 } from "node:path";
import {
  isReference,
  type PhaseEntry,
  SESSION_NAME,
  type TemplateName,
  type WorkflowDefinition,
} from "../core/workflow/index.ts";
import { Fields, isMapping, type Note, noteInto } from "./fields.ts";
import { insideFolder } from "./inside-folder.ts";
import { LIMITS } from "./limits.ts";
import { described, isError, type Mistake, type Problem } from "./problem.ts";
import { type ReadPhase, readPhase } from "./read-phase.ts";
import { readText } from "./read-text.ts";
import { warnOfVariables } from "./warn-of-variables.ts";
import type { ParseYaml } from "./yaml-text.ts";

/** A `workflow.yaml` with its phases, before it is known whether what it refers to is there. */
export interface ReadDefinition {
  readonly key: string;
  readonly file: string;
  /** Absent when there is an error among the problems. */
  readonly definition?: WorkflowDefinition;
  readonly problems: readonly Problem[];
  /** The lines on which other workflows are named, for problems with them. */
  readonly references: readonly Reference[];
  readonly bytes: number;
}

export interface Reference {
  readonly key: string;
  readonly line: number;
  readonly field: string;
}

/** What reading one folder shares: the real path of the root that confines it, and the phase files read so far. */
export interface Reading {
  readonly root: string;
  readonly parse: ParseYaml;
  readonly phases: Map<string, ReadPhase & { readonly bytes: number }>;
}

export function readDefinition(reading: Reading, key: string, file: string): ReadDefinition | undefined {
  const source = readText(file);
  if (source.status === "missing") return undefined;
  const problems: Problem[] = [];
  const about = (where: string, mistakes: readonly Mistake[]) =>
    problems.push(...mistakes.map((mistake) => ({ ...mistake, workflow: key, file: where })));
  const failed = (mistake: Omit<Mistake, "severity">): ReadDefinition => {
    about(file, [{ severity: "error", ...mistake }]);
    return { key, file, problems, references: [], bytes: 0 };
  };
  if (source.status === "wrong") return failed({ message: source.message });
  const yaml = reading.parse(source.text);
  const [unreadable] = yaml.mistakes;
  if (unreadable) return failed({ line: unreadable.line, message: `expected YAML: ${unreadable.message}` });
  if (!isMapping(yaml.value)) return failed({ line: 1, message: `expected fields, got ${described(yaml.value)}` });

  const mistakes: Mistake[] = [];
  const note = noteInto(mistakes, yaml.lineOf);
  const fields = new Fields(yaml.value, [], note);
  const definition = readFields(fields, key, note);
  const references: Reference[] = [];
  let bytes = source.bytes;
  const phases = (fields.list("phases", LIMITS.phasesPerWorkflow) ?? []).map((entry, index): PhaseEntry | undefined => {
    const place = ["phases", index];
    if (isMapping(entry)) {
      const reference = readReference(entry, index, note);
      if (reference) references.push({ key: reference, line: yaml.lineOf(place), field: `phases[${index}]` });
      return reference === undefined ? undefined : { subworkflow: reference };
    }
    const found = phaseFile(reading, file, entry);
    if (found.status === "wrong") {
      note("error", place, found.message);
      return undefined;
    }
    const read = phaseIn(reading, found.path);
    about(join(dirname(file), String(entry)), read.mistakes);
    bytes += read.bytes;
    return read.phase;
  });
  if (phases.length === 0 && !mistakes.some(({ field }) => field === "phases"))
    note("error", ["phases"], "expected at least one phase");
  noteDuplicates(phases, note);
  fields.warnOfOthers();
  about(file, mistakes);
  if (problems.some(isError) || !phases.every((entry) => entry !== undefined))
    return { key, file, problems, references, bytes };
  return { key, file, definition: { ...definition, phases }, problems, references, bytes };
}

const TEMPLATES = [
  "roleInstruction",
  "advanceReminder",
  "blockReasonTemplate",
  "notDoneReminder",
  "completionMessage",
] as const satisfies readonly TemplateName[];

function readFields(fields: Fields, key: string, note: Note): Omit<WorkflowDefinition, "phases"> {
  const name = fields.neededText("name", LIMITS.nameCharacters).trim();
  const show = fields.choice("show", ["user", "workflows"]) ?? "user";
  const need = show === "user" ? "neededText" : "text";
  const commandName = fields[need]("commandName", LIMITS.nameCharacters) ?? "";
  if (show === "user" && commandName !== "" && !/^[a-zA-Z0-9_-]+$/.test(commandName))
    fields.wrong("commandName", `expected letters, digits, - and _ only, got ${described(commandName)}`);
  const initialMessage = fields[need]("initialMessage", LIMITS.fileBytes) ?? "";
  const templates = TEMPLATES.flatMap((template) => {
    const text = fields.text(template, LIMITS.fileBytes);
    return text === undefined ? [] : [[template, text] as const];
  });
  for (const [template, text] of [["initialMessage", initialMessage] as const, ...templates])
    warnOfVariables(template, text, (message) => note("warning", [template], message));
  return {
    key,
    name,
    commandName,
    show,
    initialMessage,
    loopable: fields.flag("loopable") ?? true,
    sessionNamePrefix: fields.text("sessionNamePrefix", LIMITS.nameCharacters) ?? SESSION_NAME.sessionNamePrefix,
    sessionNameMaxLength: fields.count("sessionNameMaxLength", 1, 1000) ?? SESSION_NAME.sessionNameMaxLength,
    ...Object.fromEntries(templates),
  };
}

function readReference(entry: object, index: number, note: Note): string | undefined {
  const fields = new Fields(entry, ["phases", index], note);
  const key = fields.neededText("subworkflow", LIMITS.nameCharacters).trim();
  fields.warnOfOthers();
  return key === "" ? undefined : key;
}

type PhaseFile =
  | { readonly status: "inside"; readonly path: string }
  | { readonly status: "wrong"; readonly message: string };

function phaseFile({ root }: Reading, file: string, entry: unknown): PhaseFile {
  const wrong = (message: string): PhaseFile => ({ status: "wrong", message });
  if (typeof entry !== "string" || entry.trim() === "")
    return wrong(`expected a phase file or { subworkflow: <key> }, got ${described(entry)}`);
  if (entry.includes("\0") || isAbsolute(entry) || win32.isAbsolute(entry))
    return wrong(`expected a path relative to the workflow, got ${described(entry)}`);
  const found = insideFolder(root, join(dirname(file), entry));
  switch (found.status) {
    case "inside":
      return found;
    case "outside":
      return wrong(`expected a file inside ${root}, but ${described(entry)} leads out of it`);
    case "missing":
      return wrong(`expected a phase file, but there is no ${described(entry)}`);
    case "unreadable":
      return wrong(`expected a phase file, but ${described(entry)} cannot be read: ${found.message}`);
  }
}

/** Shared phase files are read once. */
function phaseIn({ parse, phases }: Reading, path: string): ReadPhase & { readonly bytes: number } {
  const known = phases.get(path);
  if (known) return known;
  const source = readText(path);
  const read =
    source.status === "read"
      ? { ...readPhase(source.text, parse), bytes: source.bytes }
      : { mistakes: [gone(source)], bytes: 0 };
  phases.set(path, read);
  return read;
}

const gone = (
  source: { readonly status: "missing" } | { readonly status: "wrong"; readonly message: string },
): Mistake => ({
  severity: "error",
  message: source.status === "missing" ? "expected a phase file, but it is gone" : source.message,
});

function noteDuplicates(phases: readonly (PhaseEntry | undefined)[], note: Note): void {
  const ids = new Map<string, number>();
  for (const [index, entry] of phases.entries()) {
    if (!entry || isReference(entry)) continue;
    const first = ids.get(entry.id);
    if (first === undefined) ids.set(entry.id, index);
    else note("error", ["phases", index], `expected another id: "${entry.id}" is the id of phases[${first}] too`);
  }
}
