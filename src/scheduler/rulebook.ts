import {
  type Judgement,
  judge,
  type Mode,
  type Policy,
  type Rule,
  type Subject,
  strictest,
  withGrants,
  withMode,
} from "../core/call/index.ts";
import { messageOf, type Plan, pathsTo } from "./intake.ts";

/** The rules as they stand now. They change while calls wait: the user allows something for good, or changes the mode. */
export interface Rulebook {
  readonly mode: Mode;
  readonly root: string;
  /** Counts the changes: what was judged by an older version is judged again before it starts. */
  readonly version: number;
  judge(plan: Plan): Judgement;
  grant(rules: readonly Rule[]): void;
  setMode(mode: Mode): void;
}

/** Something besides the rules that has a say: a workflow's phase, a hook. It can only make things stricter. */
export type Gate = (subject: Subject) => Judgement | undefined;

export function createRulebook(given: Policy, gates: readonly Gate[]): Rulebook {
  let policy = given;
  let version = 0;

  function replace(next: Policy): void {
    policy = next;
    version++;
  }

  return {
    get mode() {
      return policy.mode;
    },
    get root() {
      return policy.root;
    },
    get version() {
      return version;
    },
    judge: (plan) => judgeAll(policy, gates, plan),
    grant: (rules) => replace(withGrants(policy, rules)),
    setMode: (mode) => replace(withMode(policy, mode)),
  };
}

/** A denial is final: what comes later may turn "allow" into "ask" and "ask" into "deny", never back. */
function judgeAll(policy: Policy, gates: readonly Gate[], plan: Plan): Judgement {
  try {
    const subject = subjectOf(plan);
    let judgement = judge(policy, subject);
    if (subject.kind === "own") return judgement;
    for (const gate of gates) {
      const other = gate(subject);
      if (other !== undefined && strictest(judgement.decision, other.decision) !== judgement.decision)
        judgement = other;
    }
    return judgement;
  } catch (error) {
    return { decision: "deny", because: `it could not be evaluated: ${messageOf(error)}` }; // a gate's or the tool's own mistake
  }
}

function subjectOf({ tool, args, named }: Plan): Subject {
  return {
    tool: tool.name,
    kind: tool.kind,
    server: tool.server,
    args,
    reads: named === undefined ? NOTHING : pathsTo(named, "read"),
    writes: named === undefined ? NOTHING : pathsTo(named, "write"),
    command: tool.command?.(args),
  };
}

const NOTHING: readonly never[] = [];
