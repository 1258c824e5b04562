/** What `workflow_step` can be asked to do. */
export const STEP_ACTIONS = ["next", "status", "cancel", "loop"] as const;
export type StepAction = (typeof STEP_ACTIONS)[number];
