/** The code with which the system refused something; undefined: it is no refusal but a mistake. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** What the system refuses is nothing: no file, no right, no such process; and so is what is no JSON. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}
