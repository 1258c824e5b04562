/** How large what we read may be. A definition is kept whole in the run's log, and a phase goes to the model at every turn. */
export const LIMITS = {
  fileBytes: 64 * 1024,
  workflowsPerFolder: 1000,
  phasesPerWorkflow: 100,
  /** A workflow with everything it refers to. */
  forestBytes: 1024 * 1024,
  nameCharacters: 200,
  listItems: 200,
  checksPerPhase: 20,
  checkTimeoutMs: 24 * 60 * 60 * 1000,
  todosPerPhase: 50,
  todoCharacters: 1000,
} as const;
