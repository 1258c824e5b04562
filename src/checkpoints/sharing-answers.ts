import type { Git } from "../checks/index.ts";

/**
 * The same question asked twice at the same time is asked once: several parts of a checkpoint begin by asking where the repository is,
 * and a process of git's costs more than its answer.
 */
export function sharingAnswers(git: Git): Git {
  const look = askedOnce((key) => git(...(JSON.parse(key) as [string, string[]])));
  return (cwd, args, more) => (more === undefined ? look(JSON.stringify([cwd, args])) : git(cwd, args, more));
}

/** A caller that asks while an answer is on its way gets that answer. */
export function askedOnce<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (key) => {
    const known = asked.get(key);
    if (known) return known;
    const answer = ask(key).finally(() => asked.delete(key));
    asked.set(key, answer);
    return answer;
  };
}
