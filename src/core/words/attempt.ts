import type { RunEvent } from "../run/index.ts";
import { ATTEMPTS } from "../speaker/index.ts";
import { exactLine } from "../text/index.ts";

/** `refused: the agent tried to raise a budget (tildone extend --tokens 5); a tool call of the agent (process 9) started it` */
export function attemptText({ attempt, text, because, isLast }: RunEvent & { type: "attempt.refused" }): string {
  const more = isLast ? "; tildone records no more attempts of this kind" : "";
  return `refused: the agent tried to ${ATTEMPTS[attempt]} (${exactLine(text, SHOWN)}); ${because}${more}`;
}

const SHOWN = 120;
