import type { Run } from "../run/index.ts";

/** A command of the agent that runs in the background, in the host's words. */
export interface BackgroundCommand {
  readonly id?: string;
  readonly line: string;
  readonly description?: string;
}

/**
 * The commands that something open waits for: a blocked todo whose reason names them. What a command is called says nothing:
 * a dev server is one that nothing waits for.
 */
export function awaitedCommands(run: Run, commands: readonly BackgroundCommand[]): readonly BackgroundCommand[] {
  const reasons = run.plan.todos.filter(({ status }) => status === "blocked").map(({ reason = "" }) => reason);
  return commands.filter((command) => reasons.some((reason) => names(reason, command)));
}

/** Two words of the command or of its description, since one alone, like "server", is in many reasons; or all there are. */
function names(reason: string, { id, line, description = "" }: BackgroundCommand): boolean {
  const said = new Set(wordsOf(reason));
  if (said.has("background") || (id !== undefined && id !== "" && reason.includes(id))) return true;
  return [line, description].some((text) => {
    const words = new Set(wordsOf(text));
    const shared = [...words].filter((word) => said.has(word)).length;
    return shared > 0 && shared >= Math.min(2, words.size);
  });
}

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2);
