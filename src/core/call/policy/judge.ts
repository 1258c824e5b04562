import { fedTo, partsOf, readShell, type Word } from "../../shell/index.ts";
import { namedPath, pathsInWords } from "./path-rule.ts";
import type { Policy } from "./policy.ts";
import { type Decision, type Facet, fits, type LoadedRule, type Rule, strictest, type ToolKind } from "./rule.ts";

/** What is judged: a call, with the paths it would touch and the shell line it would run. */
export interface Subject {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly server?: string | undefined;
  readonly args: unknown;
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly command?: string | undefined;
}

export interface Judgement {
  readonly decision: Decision;
  /** Name of the rule that decided, or a sentence when no rule did. */
  readonly because: string;
  /** What the rule wants the model to be told. */
  readonly message?: string;
  /** What "always" would allow, exactly as narrow as what is asked; absent when it cannot be said exactly. */
  readonly offer?: readonly Rule[];
}

/**
 * Part by part, and the strictest part decides: a part that is allowed covers nothing but itself.
 * A denial is final; a grant lifts a question; a protected file and a doubt about a denial ask whatever was granted.
 */
export function judge(policy: Policy, subject: Subject): Judgement {
  if (subject.kind === "own") return { decision: "allow", because: "tildone's own tools never ask" };
  const parts =
    subject.command === undefined ? pathFacets(policy, subject) : commandFacets(policy, subject, subject.command);
  if (parts.length === 0) return judgePart(policy, facetOf(subject), "plain");
  const judged = parts.map(({ facet, as }) => judgePart(policy, facet, as));
  const decision = judged.map((each) => each.decision).reduce(strictest, "allow");
  const deciding = judged.find((each) => each.decision === decision);
  const offer = decision === "ask" ? joined(judged.filter((each) => each.decision === "ask")) : undefined;
  return {
    decision,
    because: deciding?.because ?? "nothing to judge",
    ...(deciding?.message === undefined ? {} : { message: deciding.message }),
    ...(offer === undefined ? {} : { offer }),
  };
}

/** Against a wrapper only an explicit rule counts. */
type As = "plain" | "wrapper";
interface Part {
  readonly facet: Facet;
  readonly as: As;
}

/** Empty when it names no path: then the call is judged as such. */
function pathFacets(policy: Policy, subject: Subject): readonly Part[] {
  const { reads = NONE, writes = NONE } = subject;
  if (reads.length + writes.length === 0) return NONE;
  const facet = facetOf(subject);
  const about = (access: "read" | "write") => (path: string) => ({
    facet: { ...facet, about: { type: "path" as const, path: namedPath(policy, path), access } },
    as: "plain" as const,
  });
  return [...writes.map(about("write")), ...reads.map(about("read"))];
}

/** A redirection is judged as what it is: an edit or a read of that file. */
function commandFacets(policy: Policy, subject: Subject, command: string): Part[] {
  const facet = facetOf(subject);
  const read = readShell(command);
  const parts = partsOf(command, read).map((part): Part => {
    if (part.type === "redirect") {
      const kind = part.access === "write" ? ("edit" as const) : ("read" as const);
      const { text, literal, pattern } = part.path;
      const isNamed = literal && !(pattern && /[*?[]/.test(text)); // a pattern may lead to another file than it names
      const about = isNamed
        ? { type: "path" as const, path: namedPath(policy, text), access: part.access }
        : { type: "unreadable" as const };
      return { facet: { ...facet, kind, about }, as: "plain" };
    }
    if (part.type === "unreadable") return { facet: { ...facet, about: part }, as: "plain" };
    const { words } = part;
    const paths = pathsInWords(policy, words);
    const environment = part.type === "command" && part.environment;
    const about = { type: "command" as const, words, environment, paths };
    return { facet: { ...facet, about }, as: part.type === "wrapper" ? "wrapper" : "plain" };
  });
  const fed = fedTo(command, read).map(({ program, text }): Part => {
    const words = [program, { text, literal: true, pattern: false, runs: [] }];
    return { facet: { ...facet, about: { type: "command", words, environment: false, paths: NONE } }, as: "wrapper" };
  });
  return [...parts, ...fed];
}

const facetOf = ({ tool, kind, server, args }: Subject): Facet => ({
  tool,
  kind,
  server,
  args,
  about: CALL,
});
const CALL = { type: "call" } as const;
const NONE: readonly never[] = [];

function judgePart(policy: Policy, facet: Facet, as: As): Judgement {
  const { rule, doubt } = firstThatFits(policy, facet, as);
  if (rule.decision === "deny") return said(rule);
  if (doubt !== undefined) return { decision: "ask", because: `it is unclear whether "${doubt.name}" applies` };
  if (writesProtected(policy, facet)) return { decision: "ask", because: "protected files always ask" };
  if (rule.decision === "allow" || policy.grants.some((grant) => fits(grant, facet, policy.mode) === "yes")) {
    return { decision: "allow", because: rule.name };
  }
  const offer = offerFor(facet);
  return offer === undefined ? said(rule) : { ...said(rule), offer: [offer] };
}

const said = ({ decision, name, message }: Rule): Judgement =>
  message === undefined ? { decision, because: name } : { decision, because: name, message };

function firstThatFits(policy: Policy, facet: Facet, as: As): { rule: Rule; doubt: Rule | undefined } {
  let doubt: Rule | undefined;
  for (const loaded of policy.inOrder) {
    if (as === "wrapper" && !speaksOfCommands(loaded)) continue;
    const fit = fits(loaded, facet, policy.mode);
    if (fit === "yes") return { rule: loaded.rule, doubt };
    if (fit === "maybe" && loaded.rule.decision !== "allow") doubt ??= loaded.rule;
  }
  return { rule: as === "wrapper" ? WRAPPER : ASK, doubt };
}

const ASK: Rule = { name: "no rule covers it", decision: "ask" };
const WRAPPER: Rule = { name: "it only starts another command", decision: "allow" };
const speaksOfCommands = ({ rule }: LoadedRule) => rule.command !== undefined && rule.decision !== "allow";

/** Commands that write files they name, and which of their words those are. */
const WRITERS: Readonly<Record<string, "all" | "last" | "in_place">> = {
  ...Object.fromEntries("rm mv tee touch truncate unlink shred dd chmod chown".split(" ").map((name) => [name, "all"])),
  ...Object.fromEntries("cp ln install rsync".split(" ").map((name) => [name, "last"])),
  ...Object.fromEntries("sed perl".split(" ").map((name) => [name, "in_place"])),
};

function writesProtected(policy: Policy, { about }: Facet): boolean {
  if (about.type === "path") return about.access === "write" && policy.isProtected(about.path.within, policy.mode);
  if (about.type !== "command" || about.words.length === 0) return false;
  const name = about.words[0]!.text;
  const which = WRITERS[name.slice(name.lastIndexOf("/") + 1)];
  if (which === undefined) return false;
  if (which === "in_place" && !about.words.some(({ text }) => /^(-[a-z]*i|--in-place)/.test(text))) return false;
  const named = which === "last" ? [about.words[0]!, about.words.at(-1)!] : about.words;
  return pathsInWords(policy, named).some((path) => path !== undefined && policy.isProtected(path.within, policy.mode));
}

function offerFor({ tool, kind, args, about }: Facet): Rule | undefined {
  if (about.type === "unreadable") return undefined;
  if (about.type === "call") return { name: `always: ${tool} with these arguments`, decision: "allow", tool, args };
  if (about.type === "path") {
    const { within } = about.path;
    if (/[*?{]/.test(within)) return undefined; // its name would be read as a pattern
    return { name: `always: ${tool} on ${within}`, decision: "allow", tool, kind, path: within };
  }
  const isExact = ({ text, literal }: Word) => literal && text !== "*";
  if (about.environment || about.words.length === 0 || !about.words.every(isExact)) return undefined;
  const command = about.words.map(({ text }) => text);
  return { name: `always: ${command.join(" ")}`, decision: "allow", tool, command };
}

/** All or nothing: an "always" that would not keep the next such call from asking is no offer. */
function joined(asked: readonly Judgement[]): readonly Rule[] | undefined {
  const offers = asked.map(({ offer }) => offer);
  return offers.includes(undefined) ? undefined : offers.flatMap((offer) => offer ?? []);
}
