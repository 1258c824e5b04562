import type { Clock } from "../../engine/index.ts";
import type { Git } from "./git.ts";
import type { Kept } from "./kept.ts";

/** Where git did not answer in time it is not asked again for so long, by this process or the next. */
const FOR_MS = 600_000;

/** A repository may be made so that git never answers: that costs one wait, not one at every look. */
export function patientOnce(git: Git, clock: Clock, kept: Kept): Git {
  const until = new Map<string, number>();
  const untilOf = (cwd: string): number => {
    const known = until.get(cwd) ?? savedUntil(kept.load(`stuck ${cwd}`));
    until.set(cwd, known);
    return known;
  };
  return async (cwd, args, more) => {
    const now = clock.now();
    const end = untilOf(cwd);
    if (end > now && end - now <= FOR_MS) return { status: "stuck" }; // a clock set back does not prolong it
    const answer = await git(cwd, args, more);
    if (answer.status === "stuck" || answer.status === "timed_out") {
      until.set(cwd, clock.now() + FOR_MS);
      kept.save(`stuck ${cwd}`, { until: clock.now() + FOR_MS });
    }
    return answer;
  };
}

const savedUntil = (saved: unknown): number =>
  typeof saved === "object" && saved !== null && "until" in saved && typeof saved.until === "number" ? saved.until : 0;
