import type { StopReason } from "./reasons.ts";

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

/** How a stopped run continues. */
export interface ResumeRow {
  /** What you type after `tildone run` ended (inside a host, `next` of the reason says it): `<run>`, `<n>` and `<index>` are filled in when it is printed. */
  readonly command: string;
  readonly resets: readonly Reset[];
}

const RESUME_IT = "tildone run --resume <run>";

/**
 * One row per stop reason: what you type to continue, and what that sets back. Only a person's word does; a process that takes
 * a run over, a supervisor or a worker resets nothing.
 */
export const RESUME = {
  disabled: {
    command: "tildone run --resume <run> --auto-complete-todos",
    resets: ["switch"],
  },
  held: { command: RESUME_IT, resets: ["hold"] },
  interrupted: { command: RESUME_IT, resets: ["interrupt"] },
  no_todos: { command: `${RESUME_IT} "what to do"`, resets: ["list"] },
  read_only: { command: RESUME_IT, resets: ["mode"] },
  all_done: { command: `${RESUME_IT} "what to do next"`, resets: [] },
  done_unproven: {
    command: `tildone accept <run>   or   ${RESUME_IT} "what to do next"`,
    resets: [],
  },
  done_with_doubt: {
    command: `tildone accept <run>   or   ${RESUME_IT} "what to fix"`,
    resets: [],
  },
  done_accepted: { command: `${RESUME_IT} "what to do next"`, resets: [] },
  budget_tokens: {
    command: `${RESUME_IT} --max-tokens <n>`,
    resets: [],
  },
  budget_cost: {
    command: `${RESUME_IT} --max-cost <n>`,
    resets: [],
  },
  budget_minutes: {
    command: `${RESUME_IT} --max-minutes <n>`,
    resets: [],
  },
  budget_continuations: {
    command: `tildone extend <run> --continuations <n> && ${RESUME_IT}`,
    resets: [],
  },
  rate_limited: { command: RESUME_IT, resets: ["failures"] },
  provider_error: { command: RESUME_IT, resets: ["failures"] },
  host_failed: { command: RESUME_IT, resets: ["failures"] },
  context_full: { command: RESUME_IT, resets: ["failures"] },
  host_limit: { command: RESUME_IT, resets: ["failures"] },
  refused: { command: `${RESUME_IT} "say it differently"`, resets: ["failures"] },
  blocked: {
    command: `${RESUME_IT} "what it needs to know"`,
    resets: ["blocked"],
  },
  awaiting_release: {
    command: `tildone todo release <index> --run <run> && ${RESUME_IT}`,
    resets: [],
  },
  question: { command: `${RESUME_IT} "your answer"`, resets: ["questions"] },
  no_progress: { command: `${RESUME_IT} "what to try"`, resets: ["progress"] },
} as const satisfies Record<StopReason, ResumeRow>;

export const resumeRow = (reason: string): ResumeRow =>
  Object.hasOwn(RESUME, reason) ? RESUME[reason as StopReason] : { command: RESUME_IT, resets: [] };
