import type { ModelRequest } from "../../src/testing/index.ts";

type Judge = (isDone: boolean) => string;

const says = (verdict: object): string => JSON.stringify({ ...verdict, reason: "as the check says" });

/** Models that a goal mode asks whether its goal is reached, by how they are introduced, and what they answer. */
const JUDGES: readonly (readonly [introduced: string, Judge])[] = [
  ["evaluating a stop-condition hook", (ok) => says({ ok })], // Claude Code
  ["You are an independent Goal Verifier", (isDone) => says({ decision: isDone ? "accept" : "reject" })], // Qwen Code
];

export const judgeOf = ({ tools, system }: ModelRequest): Judge | undefined =>
  tools.length > 0 ? undefined : JUDGES.find(([introduced]) => system.includes(introduced))?.[1];
