import { decisionText, type Run } from "../../core/run/index.ts";
import type { Child } from "./child.ts";

/** How the agent's process ended, and what it said last. */
export type ChildEnd = Awaited<Child["ended"]>;

/** The agent's process ended without the run coming to a stop. */
export function whyBroken(run: Run | undefined, { code, said }: ChildEnd): string | undefined {
  if (code === null) return "the agent's process was killed";
  const isStopped = run?.status === "ended" || run?.ledger.decision !== undefined;
  if (run && !isStopped && code !== 0) return `the agent's process ended (exit ${code}): ${lastLine(said)}`;
  return undefined;
}

export function whyParked(run: Run | undefined, said: string): string {
  if (!run) return `It did not start: ${lastLine(said).replace(/^tildone: /, "")}`;
  const { decision } = run.ledger;
  if (decision?.type === "stop") return decision.reason;
  return decision ? decisionText(decision) : "the agent ended before anything was decided";
}

export const lastLine = (said: string): string => said.trim().split("\n").at(-1)?.slice(0, 500) ?? "";
