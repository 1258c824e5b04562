import type { Forest } from "./definition.ts";
import type { Path } from "./path.ts";

/** What happened to the run's workflow. Paths stand in the events, so that replay needs no navigation rules. */
export type WorkflowEvent =
  | {
      readonly type: "workflow.started";
      readonly workflowKey: string;
      /** The definitions this run keeps, whatever happens to the files. */
      readonly forest: Forest;
      readonly fingerprint: string;
      readonly description: string;
      readonly taskId: string;
      readonly startedAt: number;
      readonly path: Path;
    }
  /** `summary` is about the phase that was left. */
  | { readonly type: "phase.entered"; readonly path: Path; readonly summary?: string }
  | { readonly type: "workflow.looped"; readonly path: Path; readonly summary?: string }
  | { readonly type: "workflow.finished"; readonly summary?: string }
  /** `turn` is the turn in which a second request confirms; in any other it is forgotten. */
  | { readonly type: "workflow.cancel_requested"; readonly turn: string }
  | { readonly type: "workflow.cancel_withdrawn" }
  | { readonly type: "workflow.cancelled"; readonly summary?: string };
