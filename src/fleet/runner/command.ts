import type { Submission } from "../ports.ts";

/** The line that a person would type: to begin the run, or to continue it. Your text comes last, where it can be no option. */
export function commandOf(
  submission: Submission,
  how: "begin" | "continue",
  plan: string | undefined,
): readonly string[] {
  const { budget, host, model, baseUrl, approval, checks } = submission;
  const both = [
    ...option("--approval", approval),
    ...option("--host", host),
    ...option("--model", model),
    ...option("--base-url", baseUrl),
  ];
  if (how === "continue") return ["run", "--resume", ...both, "--", submission.run];
  return [
    "run",
    ...both,
    ...checks.flatMap((check) => option("--check", check)),
    ...option("--file", plan),
    ...option("--max-tokens", budget.tokens),
    ...option("--max-cost", budget.cost),
    ...option("--max-minutes", budget.minutes),
    "--",
    submission.goal,
  ];
}

const option = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`${name}=${value}`];
