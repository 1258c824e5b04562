/** The files of a project at one moment, as the log names them. */
export interface Checkpoint {
  /** `c1`, `c2`: in the order of the run. */
  readonly id: string;
  /** Names the files; opened, it is checked against them. */
  readonly tree: string;
  /** Names what else was noted: where HEAD stood, what was staged. */
  readonly facts: string;
  /** Against the checkpoint before it. */
  readonly changed: Changed;
  /** How long it took. */
  readonly ms: number;
}

export interface Changed {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

export const UNCHANGED: Changed = { files: 0, added: 0, removed: 0 };

/** When a checkpoint was taken. */
export const MOMENTS = {
  list: "the list was written",
  start: "started",
  end: "finished",
  phase: "a phase began",
  call: "before a call that you approved",
  turn_began: "a turn began",
  turn_ended: "a turn ended",
} as const satisfies Record<string, string>;
export type CheckpointMoment = keyof typeof MOMENTS;
