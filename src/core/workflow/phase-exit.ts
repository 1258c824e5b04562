import { clipLine, clipText } from "../text/index.ts";
import type { PhaseDefinition } from "./definition.ts";
import { refusal, type WorkflowRefusal } from "./refusal.ts";

/** What must be known of a phase before it can be left; the run finds it out, this room only judges. */
export interface PhaseExit {
  readonly phaseTodosOpen: number;
  readonly checks: PhaseChecks;
  /** `tripped`: the workspace changed in a phase that forbids writing, and the user has not accepted that. */
  readonly tripwire: "clear" | "tripped";
}

export type PhaseChecks =
  | { readonly status: "not_run" }
  | { readonly status: "passed" }
  | { readonly status: "failed"; readonly command: string; readonly output: string };

const OUTPUT_TAIL = 4000;

/** First reason that speaks wins: the user's word before work, work before the checks that judge it. */
export function whyNotLeft(phase: PhaseDefinition, exit: PhaseExit): WorkflowRefusal | undefined {
  if (exit.tripwire === "tripped") return refusal("read_only_phase_changed", { phase: phase.name });
  if (exit.phaseTodosOpen > 0)
    return refusal("phase_todos_open", { phase: phase.name, open: `${exit.phaseTodosOpen}` });
  if (phase.checks.length === 0 || exit.checks.status === "passed") return undefined;
  if (exit.checks.status === "not_run") return refusal("phase_checks_needed", { phase: phase.name });
  return refusal("phase_check_failed", {
    phase: phase.name,
    command: clipLine(exit.checks.command, 300),
    output: tail(exit.checks.output),
  });
}

/** The end of a check's output is where it says what went wrong. */
function tail(output: string): string {
  return output.length > OUTPUT_TAIL ? `…${output.slice(-OUTPUT_TAIL)}` : clipText(output, OUTPUT_TAIL);
}
