import { clipLine } from "../text/index.ts";

/** Said to the agent about a completion that is not to be believed; `doubt` names files and is data. */
export const suspectLine = (what: string, doubt: string): string =>
  `${what} is suspect. Undo this change, or leave it and the user will be asked; next time name such files in 'touches' before starting the todo:\n> ${clipLine(doubt, 400)}`;
