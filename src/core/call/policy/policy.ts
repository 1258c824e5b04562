import { partsOf } from "../../shell/index.ts";
import { MODE_RULES, PROTECTED, PROTECTED_IN_YOLO } from "./modes.ts";
import { globAnywhere, namedPath } from "./path-rule.ts";
import { DECISIONS, type Facet, fits, KINDS, type LoadedRule, loadRule, MODES, type Mode, type Rule } from "./rule.ts";

/** Everything an approval is judged by. A value: a change of mode or a new grant gives another one. */
export interface Policy {
  readonly mode: Mode;
  /** The run's directory: globs are relative to it. */
  readonly root: string;
  readonly home: string | undefined;
  readonly rules: readonly LoadedRule[];
  /** The mode's rules around the given ones: the first that fits decides. */
  readonly inOrder: readonly LoadedRule[];
  /** What the user allowed for good while the run continued. Lifts a question, never a denial. */
  readonly grants: readonly LoadedRule[];
  /** Whether writing it asks in this mode, even after a grant. */
  readonly isProtected: (path: string, mode: Mode) => boolean;
}

/** A mode, a root and rules, before they are checked. */
export interface PolicySource {
  readonly mode?: Mode;
  readonly root?: string;
  /** What `~` stands for, in rules and in commands. */
  readonly home?: string;
  readonly rules?: readonly Rule[];
  /** Replaces the list of protected files. */
  readonly protect?: readonly string[];
  /** The same for yolo. */
  readonly protectInYolo?: readonly string[];
}

export type PolicyLoad =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly { readonly path: string; readonly message: string }[] };

/** Rules are taken only when each of them says what it means: its examples are tried on the spot. */
export function loadPolicy(source: PolicySource): PolicyLoad {
  const { mode = "ask", root = "", home, rules = [], protect = PROTECTED, protectInYolo = PROTECTED_IN_YOLO } = source;
  const problems = rules.flatMap((rule, index) => problemsOf(rule, `rules[${index}]`));
  if (!MODES.includes(mode)) problems.push({ path: "mode", message: `is "${mode}"; use one of ${MODES.join(", ")}` });
  if (problems.length > 0) return { ok: false, problems };
  const guards = { yolo: protectInYolo.map(globAnywhere), others: protect.map(globAnywhere) };
  const loaded = rules.map((rule) => loadRule({ ...rule }, home));
  const policy: Policy = {
    mode,
    root,
    home,
    rules: loaded,
    inOrder: inOrder(mode, loaded),
    grants: [],
    isProtected: (path, now) => guards[now === "yolo" ? "yolo" : "others"].some((matches) => matches(path)),
  };
  return { ok: true, policy };
}

export const withMode = (policy: Policy, mode: Mode): Policy => ({
  ...policy,
  mode,
  inOrder: inOrder(mode, policy.rules),
});

export const withGrants = (policy: Policy, rules: readonly Rule[]): Policy => ({
  ...policy,
  grants: [...policy.grants, ...rules.map((rule) => loadRule(rule, policy.home))],
});

function inOrder(mode: Mode, rules: readonly LoadedRule[]): readonly LoadedRule[] {
  const { first, last } = loadedMode(mode);
  return [...first, ...rules, ...last];
}

interface LoadedMode {
  readonly first: readonly LoadedRule[];
  readonly last: readonly LoadedRule[];
}

/** A process lives in one mode, most often. */
function loadedMode(mode: Mode): LoadedMode {
  const known = LOADED.get(mode);
  if (known) return known;
  const { first, last } = MODE_RULES[mode];
  const loaded = { first: first.map((rule) => loadRule(rule)), last: last.map((rule) => loadRule(rule)) };
  LOADED.set(mode, loaded);
  return loaded;
}
const LOADED = new Map<Mode, LoadedMode>();

type Problem = { readonly path: string; readonly message: string };

export function problemsOf(rule: Rule, path: string): Problem[] {
  const problems: Problem[] = [];
  const say = (field: string, message: string) => problems.push({ path: `${path}.${field}`, message });
  if (rule.name === undefined || rule.name === "") say("name", "is missing: every rule needs a name");
  if (!DECISIONS.includes(rule.decision)) {
    say("decision", `is ${JSON.stringify(rule.decision)}; use one of ${DECISIONS.join(", ")}`);
  }
  if (rule.kind !== undefined && !KINDS.includes(rule.kind)) {
    say("kind", `is ${JSON.stringify(rule.kind)}; use one of ${KINDS.join(", ")}`);
  }
  for (const mode of rule.modes ?? []) {
    if (!MODES.includes(mode)) say("modes", `names ${JSON.stringify(mode)}; use ${MODES.join(", ")}`);
  }
  if (rule.command !== undefined && rule.path !== undefined) {
    say("path", "stands beside command; a rule has a command or a path, not both");
  }
  if (problems.length > 0 || rule.examples === undefined) return problems;
  if (rule.command === undefined && rule.path === undefined) {
    say("examples", "need a command or a path in the rule");
    return problems;
  }
  const loaded = loadRule(rule);
  for (const [index, example] of rule.examples.covers.entries()) {
    if (!coversExample(loaded, example)) say(`examples.covers[${index}]`, `the rule does not cover "${example}"`);
  }
  for (const [index, example] of rule.examples.spares.entries()) {
    if (coversExample(loaded, example)) say(`examples.spares[${index}]`, `the rule covers "${example}"`);
  }
  return problems;
}

/** Where examples stand: any folder would do. */
const EXAMPLE = { root: "/folder/of/the/run", home: undefined };

/** A line is allowed when every part is; it is asked about or denied when one part is. */
function coversExample(loaded: LoadedRule, example: string): boolean {
  const { rule } = loaded;
  const mode = rule.modes?.[0] ?? "ask";
  const facet = {
    tool: rule.tool ?? "example",
    kind: rule.kind ?? "other",
    server: rule.server,
    args: rule.args,
  } as const;
  const isCovered = (about: Facet["about"]) => fits(loaded, { ...facet, about }, mode) === "yes";
  if (rule.command === undefined)
    return isCovered({ type: "path", path: namedPath(EXAMPLE, example), access: "write" });
  const parts = partsOf(example).filter((part) => part.type !== "wrapper");
  const covered = parts.map((part) => part.type === "command" && isCovered({ ...part, paths: [] }));
  return rule.decision === "allow" ? covered.every(Boolean) && covered.length > 0 : covered.some(Boolean);
}
