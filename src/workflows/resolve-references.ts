import { isReference, MAX_STEPS, type WorkflowDefinition } from "../core/workflow/index.ts";
import { LIMITS } from "./limits.ts";
import type { Problem } from "./problem.ts";
import type { ReadDefinition } from "./read-definition.ts";

type Usable = ReadDefinition & { readonly definition: WorkflowDefinition };

/**
 * Leaves out what cannot run: members of cycles, and whatever refers to something missing or left out, however far away.
 * A workflow is judged when everything it refers to has been: what can never be judged stands on a cycle, or behind one.
 */
export function resolveReferences(read: readonly ReadDefinition[]): {
  readonly usable: readonly Usable[];
  readonly problems: readonly Problem[];
} {
  const byKey = new Map(read.map((one) => [one.key, one]));
  const candidates = read.filter(isUsable);
  const judged = new Map<string, Judgement>();
  const waiting = new Map(candidates.map((one) => [one.key, one]));
  for (const { key } of read) if (!waiting.has(key)) judged.set(key, LEFT_OUT);

  const dependants = dependantsOf(candidates);
  const open = new Map(candidates.map((one) => [one.key, new Set(keysOf(one).filter((key) => waiting.has(key))).size]));
  const ready = candidates.filter(({ key }) => open.get(key) === 0);
  for (let one = ready.pop(); one; one = ready.pop()) {
    judged.set(one.key, judge(one, byKey, judged));
    waiting.delete(one.key);
    for (const dependant of dependants.get(one.key) ?? []) {
      const left = open.get(dependant.key)! - 1;
      open.set(dependant.key, left);
      if (left === 0) ready.push(dependant);
    }
  }
  for (const one of waiting.values()) judged.set(one.key, onOrBehindCycle(one, waiting));

  const problems = read.flatMap((one) =>
    judged.get(one.key)!.problems.concat(isUsable(one) ? [] : missingFrom(one, byKey)),
  );
  return { usable: candidates.filter(({ key }) => judged.get(key)?.status === "usable"), problems };
}

/** What is left out anyway is told of missing workflows too: its author fixes everything at once. */
function missingFrom(one: ReadDefinition, byKey: ReadonlyMap<string, ReadDefinition>): readonly Problem[] {
  return one.references
    .filter(({ key }) => !byKey.has(key))
    .map(({ key, line, field }) => problemAt(one, { line, field }, noSuch(key, byKey)));
}

interface Judgement {
  readonly status: "usable" | "left_out";
  readonly problems: readonly Problem[];
  /** Concrete phases, those of its subworkflows included. */
  readonly steps: number;
  /** Itself and everything it refers to. */
  readonly forest: ReadonlySet<ReadDefinition>;
  /** Why it is left out, as the end of a chain of names. */
  readonly because: string;
}
const LEFT_OUT: Judgement = {
  status: "left_out",
  problems: [],
  steps: 0,
  forest: new Set(),
  because: "it has mistakes of its own",
};

function judge(
  one: Usable,
  byKey: ReadonlyMap<string, ReadDefinition>,
  judged: ReadonlyMap<string, Judgement>,
): Judgement {
  for (const { key } of one.references) {
    const found = judged.get(key);
    if (found?.status === "usable") continue;
    const because = byKey.has(key) ? `${key}: ${found?.because}` : noSuch(key, byKey);
    const message = byKey.has(key) ? `expected a usable workflow, but "${key}" is left out (${because})` : because;
    return leftOut(one, key, message, because);
  }
  const parts = keysOf(one).map((key) => judged.get(key)!);
  const own = one.definition.phases.filter((entry) => !isReference(entry)).length;
  const steps = own + sum(parts.map((part) => part.steps));
  const forest = new Set<ReadDefinition>([one, ...parts.flatMap((part) => [...part.forest])]);
  const bytes = sum([...forest].map((member) => member.bytes));
  if (steps > MAX_STEPS)
    return leftOut(
      one,
      undefined,
      `expected at most ${MAX_STEPS} phases in all, got ${steps}`,
      "it has too many phases",
    );
  if (bytes > LIMITS.forestBytes)
    return leftOut(
      one,
      undefined,
      `expected at most ${LIMITS.forestBytes} bytes with everything it refers to, got ${bytes}`,
      "it is too large",
    );
  return { status: "usable", problems: [], steps, forest, because: "" };
}

function onOrBehindCycle(one: Usable, waiting: ReadonlyMap<string, Usable>): Judgement {
  const cycle = shortestWay(one.key, one.key, waiting);
  if (cycle) return leftOut(one, cycle[1]!, `expected no cycle, got ${drawn(cycle)}`, "it is part of a cycle");
  const next = one.references.find(({ key }) => waiting.has(key))!.key;
  return leftOut(
    one,
    next,
    `expected a usable workflow, but "${next}" is left out (it is part of a cycle, or refers to one)`,
    "",
  );
}

/** A cycle by its names; of a very long one, both ends. */
function drawn(cycle: readonly string[]): string {
  if (cycle.length <= 30) return cycle.join(" → ");
  return `${cycle.slice(0, 15).join(" → ")} → … → ${cycle.slice(-15).join(" → ")} (${cycle.length - 1} workflows)`;
}

/** The keys from one workflow to another, at least one step long. */
function shortestWay(from: string, to: string, among: ReadonlyMap<string, Usable>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  let edge = [from];
  while (edge.length > 0) {
    const beyond: string[] = [];
    for (const here of edge)
      for (const key of keysOf(among.get(here)!)) {
        if (!among.has(key) || cameFrom.has(key)) continue;
        cameFrom.set(key, here);
        if (key === to) return wayBack(from, to, cameFrom);
        beyond.push(key);
      }
    edge = beyond;
  }
  return undefined;
}

function wayBack(from: string, to: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [to];
  do way.unshift(cameFrom.get(way[0]!)!);
  while (way[0] !== from);
  return way;
}

function leftOut(one: Usable, reference: string | undefined, message: string, because: string): Judgement {
  const place = one.references.find(({ key }) => key === reference);
  const where = place ? { line: place.line, field: place.field } : { field: "phases" };
  return { ...LEFT_OUT, problems: [problemAt(one, where, message)], because };
}

function problemAt(
  one: ReadDefinition,
  where: { readonly line?: number; readonly field: string },
  message: string,
): Problem {
  return { severity: "error", workflow: one.key, file: one.file, ...where, message };
}

function dependantsOf(candidates: readonly Usable[]): ReadonlyMap<string, readonly Usable[]> {
  const dependants = new Map<string, Usable[]>();
  for (const one of candidates)
    for (const key of new Set(keysOf(one))) dependants.set(key, [...(dependants.get(key) ?? []), one]);
  return dependants;
}

/** Keys are compared as they are written, on every platform; a wrong capital letter gets a hint instead of a match. */
function noSuch(key: string, byKey: ReadonlyMap<string, ReadDefinition>): string {
  const near = [...byKey.keys()].find((other) => other.toLowerCase() === key.toLowerCase());
  return `there is no workflow "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
}

const keysOf = ({ references }: ReadDefinition): readonly string[] => references.map(({ key }) => key);
const isUsable = (one: ReadDefinition): one is Usable => one.definition !== undefined;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
