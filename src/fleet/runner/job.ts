import type { FleetAccess } from "../ledger/index.ts";
import type { Attempt } from "../ports.ts";

/** What a worker gives the process that drives one run. It holds the database URL: it is sent over a pipe, never as an argument. */
export interface Job {
  readonly access: FleetAccess;
  readonly run: string;
  readonly worker: string;
  readonly attempt: Attempt;
  /** Where the worker keeps clones and runs. */
  readonly state: string;
  /** The user's own settings, which the agent works with. */
  readonly config: string;
  /** How `tildone` is started. */
  readonly program: readonly string[];
  readonly leaseMs: number;
}

/** How a runner ended. `died`: its agent broke down, and the run may be claimed again. */
export type Ending =
  | { readonly type: "finished"; readonly outcome: string }
  | { readonly type: "parked"; readonly why: string }
  | { readonly type: "handed_back" | "fenced" | "overtaken" | "poisoned" | "cancelled" | "unknown" }
  | { readonly type: "newer"; readonly eventVersion: number }
  | { readonly type: "limited"; readonly by: string }
  | { readonly type: "died"; readonly why: string };

export type ToRunner = { readonly type: "job"; readonly job: Job } | { readonly type: "drain" };
export type FromRunner =
  | { readonly type: "driving"; readonly epoch: number; readonly lost: number }
  /** 0: it is over. */
  | { readonly type: "child"; readonly pid: number }
  | { readonly type: "barrier"; readonly ms: number }
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "ended"; readonly ending: Ending };
