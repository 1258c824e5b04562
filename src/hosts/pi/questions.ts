import type { Tell } from "./session-run.ts";

/** Prompts that extensions put to the user. pi tells of the outermost alone: while one is open, more change nothing. */
export function createQuestions(driver: string, tell: Tell) {
  let asked = 0;
  return {
    opened: (text?: string) => tell({ type: "question.opened", id: `${driver}.q${++asked}`, text }),
    closed: () => tell({ type: "question.closed", id: `${driver}.q${asked}` }),
  };
}
