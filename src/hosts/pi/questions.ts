import type { Tell } from "./session-run.ts";

/** Prompts that extensions have put to the human and that nobody answered yet. */
export function createQuestions(driver: string, tell: Tell) {
  const open: string[] = [];
  let asked = 0;
  return {
    async opened(): Promise<void> {
      const id = `${driver}.q${++asked}`;
      open.push(id);
      await tell({ type: "question.opened", id });
    },
    /** pi does not say which prompt was closed; that each is closed once is enough. */
    async closed(): Promise<void> {
      const id = open.pop();
      if (id !== undefined) await tell({ type: "question.closed", id });
    },
  };
}
