/** What your word to continue can set back. Budgets are not among them: they are totals, and need `extend` or a new limit. */
export const RESETS = {
  hold: "the hold",
  interrupt: "the interrupt",
  switch: "the switch of this run (`/tildone off`)",
  failures: "the retries and waits that were used up",
  progress: "the turns without activity and progress",
  questions: "the questions asked in a row",
  list: "that the list was asked for",
  blocked: "every blocked todo, with its tries and its own budget",
  mode: "the plan mode, until the host says otherwise",
} as const satisfies Record<string, string>;
export type Reset = keyof typeof RESETS;
