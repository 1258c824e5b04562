import type { History } from "./simulate.ts";

/** A history that once broke a promise. It must not do so again. */
export interface Kept extends Pick<History, "setup" | "actions"> {
  readonly name: string;
}

export const KEPT: readonly Kept[] = [];
