/** Variables for tildone alone. Whatever an agent, a check or a command of yours is started with, they are not in it. */
export const PRIVATE_VARIABLES = ["TILDONE_DATABASE_URL"] as const;

/** The environment of a process that is not ours. */
export function withoutPrivate<T extends Readonly<Record<string, string | undefined>>>(environment: T): T {
  if (PRIVATE_VARIABLES.every((name) => environment[name] === undefined)) return environment;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isPrivate(name))) as T;
}

export const isPrivate = (name: string): boolean => (PRIVATE_VARIABLES as readonly string[]).includes(name);
