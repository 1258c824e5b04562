import type { Random } from "../../sim/random.ts";
import type { Script } from "./agent.ts";

/** What a world is made of; everything follows from its seed. */
export interface Setup {
  readonly scripts: readonly Script[];
  readonly workers: number;
  /** Runs that each worker has at a time. */
  readonly slots: number;
  /** Runs that all workers together have at a time. */
  readonly limit?: number;
  /** How long things go wrong. */
  readonly steps: number;
  /** How likely a request or its answer is lost, and how likely something worse happens in a step. */
  readonly loss: number;
  readonly trouble: number;
}

export function setupOf(random: Random, limits: "limited" | "unlimited"): Setup {
  const scripts = Array.from({ length: 1 + random.below(3) }, (_, index) => scriptOf(random, `r${index + 1}`));
  const limit = random.chance(0.3) ? 1 + random.below(2) : undefined;
  return {
    scripts,
    workers: 2 + random.below(2),
    slots: 1 + random.below(2),
    ...(limit !== undefined && limits === "limited" && { limit }),
    steps: 80 + random.below(320),
    loss: random.pick([0, 0.02, 0.1, 0.25]),
    trouble: random.pick([0.01, 0.03, 0.08]),
  };
}

function scriptOf(random: Random, run: string): Script {
  const steps = 1 + random.below(6);
  const some = (probability: number): number | undefined =>
    random.chance(probability) ? 1 + random.below(steps) : undefined;
  const [asksAt, needsApprovalAt, diesAt] = [some(0.2), some(0.2), some(0.05)];
  return {
    run,
    steps,
    starts: !random.chance(0.04),
    isReachable: !random.chance(0.04),
    ...(asksAt !== undefined && { asksAt }),
    ...(needsApprovalAt !== undefined && { needsApprovalAt }),
    ...(diesAt !== undefined && { diesAt }),
  };
}
