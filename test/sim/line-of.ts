/** A check's command as one line. */
export const lineOf = (run: string | readonly string[]): string =>
  typeof run === "string" ? run : JSON.stringify(run);
