export { type Judgement, judge, type Subject } from "./judge.ts";
export { MODE_SAYS, PROTECTED, PROTECTED_IN_YOLO, yoloText } from "./modes.ts";
export { loadPolicy, type Policy, type PolicyLoad, type PolicySource, withGrants, withMode } from "./policy.ts";
export { type Decision, MODES, type Mode, type Rule, strictest, type ToolKind } from "./rule.ts";
