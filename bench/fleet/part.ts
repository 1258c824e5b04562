import type { Result } from "../harness.ts";

/** What one part of the bench measured; `says`: what stands behind the figures. */
export interface Measured {
  readonly results: readonly Result[];
  readonly says: readonly string[];
}

export interface Options {
  /** Of `many`: how many runs, on how many workers, with how many slots each. */
  readonly runs: number;
  readonly workers: number;
  readonly slots: number;
  /** Of `growth`: how many runs are over in the largest database. */
  readonly finished: number;
}

export type Part = (options: Options) => Promise<Measured>;
