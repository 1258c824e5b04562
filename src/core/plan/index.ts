export { type BoxStatus, type PlanItem, type ReadPlan, readPlan } from "./read-plan.ts";
export { readRequirements } from "./read-requirements.ts";
