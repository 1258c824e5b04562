import type { Word } from "../../shell/index.ts";
import { canonical } from "../digest.ts";
import { speaksOf } from "./command-rule.ts";
import type { Fit } from "./fit.ts";
import { type NamedPath, type PathRule, pathRule } from "./path-rule.ts";

/** From loosest to strictest; the strictest of several wins. */
export const DECISIONS = ["allow", "ask", "deny"] as const;
export type Decision = (typeof DECISIONS)[number];
export const strictest = (a: Decision, b: Decision): Decision => (DECISIONS.indexOf(a) >= DECISIONS.indexOf(b) ? a : b);

/** What a tool does to the world. `own` tools change only our list and are never gated. */
export const KINDS = ["own", "read", "fetch", "edit", "execute", "other"] as const;
/** What a tool does, as far as the modes care. */
export type ToolKind = (typeof KINDS)[number];

/** The approval modes. */
export const MODES = ["ask", "auto-edit", "yolo", "plan"] as const;
/** An approval mode. */
export type Mode = (typeof MODES)[number];

/** One approval rule. Every field given must fit; rules stand in order and the first that fits decides. */
export interface Rule {
  readonly name: string;
  readonly decision: Decision;
  /** A name, or the beginning of names with `*` at the end. */
  readonly tool?: string;
  readonly kind?: ToolKind;
  /** Exactly the server a tool came from: what a tool is called proves nothing about it. */
  readonly server?: string;
  /**
   * Words of a shell command; `*` stands for any one word, at the end for any number. What asks or denies fits
   * every command that begins so, options in between stepped over; what allows fits exactly these words.
   */
  readonly command?: string | readonly string[];
  /** A glob, relative to the run's directory. */
  readonly path?: string;
  /** Exactly these arguments. */
  readonly args?: unknown;
  readonly modes?: readonly Mode[];
  /** Told to the model with a denial. */
  readonly message?: string;
  /** Checked when the rule is loaded: shell lines for a rule with `command`, paths for one with `path`. */
  readonly examples?: { readonly covers: readonly string[]; readonly spares: readonly string[] };
}

/** One aspect of a call: a simple command, a path, or the call as such. */
export interface Facet {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly server: string | undefined;
  readonly args: unknown;
  readonly about:
    | { readonly type: "call" }
    | { readonly type: "path"; readonly path: NamedPath; readonly access: "read" | "write" }
    | {
        readonly type: "command";
        readonly words: readonly Word[];
        readonly environment: boolean;
        /** What its words could name; undefined where one of them is not known yet. */
        readonly paths: readonly (NamedPath | undefined)[];
      }
    | { readonly type: "unreadable" };
}

export interface LoadedRule {
  readonly rule: Rule;
  readonly words: readonly string[] | undefined;
  readonly path: PathRule | undefined;
  readonly args: string | undefined;
}

/** `home`: what a `~` at the beginning of its path stands for. */
export function loadRule(rule: Rule, home?: string): LoadedRule {
  const { command, path } = rule;
  return {
    rule,
    words: typeof command === "string" ? command.split(/\s+/).filter((word) => word !== "") : command,
    path: path === undefined ? undefined : pathRule(path, home),
    args: rule.args === undefined ? undefined : canonical(rule.args),
  };
}

export function fits(loaded: LoadedRule, facet: Facet, mode: Mode): Fit {
  const { rule, args } = loaded;
  if (rule.modes !== undefined && !rule.modes.includes(mode)) return "no";
  if (rule.tool !== undefined && !namesTool(rule.tool, facet.tool)) return "no";
  if (rule.kind !== undefined && rule.kind !== facet.kind) return "no";
  if (rule.server !== undefined && rule.server !== facet.server) return "no";
  if (args !== undefined && args !== canonical(facet.args)) return "no";
  const byCommand = fitsCommand(loaded, facet);
  if (byCommand === "no") return "no";
  const byPath = fitsPath(loaded, facet);
  return byPath === "yes" ? byCommand : byPath;
}

function namesTool(pattern: string, tool: string): boolean {
  return pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool;
}

function fitsCommand({ rule, words: pattern }: LoadedRule, { about }: Facet): Fit {
  if (pattern === undefined) return "yes";
  if (about.type === "unreadable") return "maybe";
  if (about.type !== "command") return "no";
  if (rule.decision === "allow") return !about.environment && isExactly(pattern, about.words) ? "yes" : "no";
  return speaksOf(pattern, about.words);
}

function isExactly(pattern: readonly string[], words: readonly Word[]): boolean {
  const open = pattern.at(-1) === "*";
  const fixed = open ? pattern.slice(0, -1) : pattern;
  if (open ? words.length < fixed.length : words.length !== fixed.length) return false;
  return fixed.every((expected, index) => {
    const { text, literal } = words[index]!;
    return expected === "*" ? index > 0 : literal && text === expected;
  });
}

/** For a command every word could be a path; only asking and denying rules look at them. */
function fitsPath({ rule, path: pattern }: LoadedRule, { about, kind }: Facet): Fit {
  if (pattern === undefined) return "yes";
  const isStrict = rule.decision !== "allow";
  if (about.type === "path") return pattern.fits(about.path, isStrict);
  if (!isStrict) return "no";
  if (about.type !== "command") return about.type === "unreadable" || kind === "edit" ? "maybe" : "no";
  const each = about.paths.map((path) => (path === undefined ? "maybe" : pattern.fits(path, isStrict)));
  return each.includes("yes") ? "yes" : each.includes("maybe") ? "maybe" : "no";
}
