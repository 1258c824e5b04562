export { type Judgement, judge, type Subject } from "./judge.ts";
export { PROTECTED } from "./modes.ts";
export { loadPolicy, type Policy, type PolicyLoad, type PolicySource, withGrants, withMode } from "./policy.ts";
export { DECISIONS, type Decision, KINDS, MODES, type Mode, type Rule, strictest, type ToolKind } from "./rule.ts";
