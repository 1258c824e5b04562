import { isMarked, type SeenMessage } from "./translate.ts";

/** Programs tell of a message more than once; so many of their answers are remembered. */
const REMEMBERED = 100;

/**
 * Whose message it is that a program tells of: a person's, the echo of our own prompt, or one that was told before.
 *
 *     silent --we prompt--> awaited --a user message without text, or with our mark--> silent
 */
export function createWhoseMessage() {
  let echo: "silent" | "awaited" = "silent";
  let lastUser: string | undefined;
  const answered = new Set<string>();

  return {
    prompted(): void {
      echo = "awaited";
    },
    isYours({ id, text }: SeenMessage): boolean {
      const isOld = id !== undefined && id === lastUser;
      if (id !== undefined) lastUser = id;
      if (isOld) return false;
      const isOurs = text !== undefined ? isMarked(text) : echo === "awaited";
      if (isOurs) echo = "silent";
      return !isOurs;
    },
    /** An answer that carries an error is no activity, and neither is the echo of one that was over before. */
    isActivity({ role, id, error }: SeenMessage): boolean {
      if (role !== "assistant" || error !== undefined || (id !== undefined && answered.has(id))) return false;
      if (id !== undefined) remember(id);
      return true;
    },
  };

  function remember(id: string): void {
    answered.add(id);
    const [oldest] = answered;
    if (answered.size > REMEMBERED && oldest !== undefined) answered.delete(oldest);
  }
}
