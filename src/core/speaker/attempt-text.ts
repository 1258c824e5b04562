import { ATTEMPTS, type Attempt } from "./attempt.ts";

interface Refused {
  readonly attempt: Attempt;
  /** The command as it was typed. */
  readonly text: string;
  readonly because: string;
  /** More of this kind are not written down. */
  readonly isLast?: boolean;
}

/** `refused: the agent tried to raise a budget (tildone extend --tokens 5); a tool call of the agent (process 9) started it` */
export function attemptText(
  { attempt, text, because, isLast }: Refused,
  exact: (text: string, columns: number) => string,
): string {
  const more = isLast ? "; tildone records no more attempts of this kind" : "";
  return `refused: the agent tried to ${ATTEMPTS[attempt]} (${exact(text, SHOWN)}); ${because}${more}`;
}

const SHOWN = 120;
