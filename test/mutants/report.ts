import type { Verdict } from "./kept.ts";
import type { Mutant } from "./mutate.ts";

export interface Score {
  readonly killed: number;
  readonly survived: number;
  /** The compiler refuses them: left out of the score. */
  readonly refused: number;
  /** What they change cannot be seen, by the list: left out of the score. */
  readonly equivalent: number;
  /** Killed, of those that were killed or survived, in percent. */
  readonly score: number;
}

export function scoreOf(verdicts: readonly Verdict[], equivalent: number): Score {
  const count = (status: Verdict["status"]) => verdicts.filter((verdict) => verdict.status === status).length;
  const [killed, survived, refused] = [count("killed"), count("survived"), count("refused")];
  const judged = Math.max(1, killed + survived);
  return { killed, survived, refused, equivalent, score: Math.round((1000 * killed) / judged) / 10 };
}

export const lineOf = ({ id, file, line, operator, before, after }: Mutant): string =>
  `${id} ${file.replace("src/core/", "")}:${line} ${operator}: ${clip(before)} -> ${after === "" ? "(left out)" : clip(after)}`;

export function sentenceOf({ killed, survived, refused, equivalent, score }: Score): string {
  const aside = `${refused} that the compiler refuses and ${equivalent} that change nothing (equivalent.ts) do not count`;
  return `${killed} of ${killed + survived} killed, ${survived} survived: ${score} %. ${aside}.`;
}

const clip = (text: string): string => (text.length > 110 ? `${text.slice(0, 109)}…` : text);
