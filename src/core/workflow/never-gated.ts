/** Ours: without them a phase could neither be left nor its list finished. */
export const NEVER_GATED = ["workflow_step", "write_todos", "list_todos", "edit_todos"] as const;
