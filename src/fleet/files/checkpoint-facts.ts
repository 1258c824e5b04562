import type { Taken } from "./take-files.ts";

/** What the message of a checkpoint says besides its files. */
export interface Facts {
  readonly head: string;
  /** Absent: HEAD stood on no branch. */
  readonly branch?: string;
  readonly staged: string;
  /** What the run started from. */
  readonly base?: string;
}

export const factsText = ({ head, branch, staged }: Taken, base: string | undefined, epoch: number): string =>
  [
    `Head: ${head}`,
    ...(branch === undefined ? [] : [`Branch: ${branch}`]),
    `Staged: ${staged}`,
    ...(base === undefined ? [] : [`Base: ${base}`]),
    claimText(epoch),
  ].join("\n");

export const claimText = (epoch: number): string => `Claim: ${epoch}`;

/** Undefined: it is no message of a checkpoint. */
export function factsIn(message: string): Facts | undefined {
  const fact = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(message)?.[1];
  const [head, branch, staged, base] = [fact("Head"), fact("Branch"), fact("Staged"), fact("Base")];
  if (head === undefined || staged === undefined) return undefined;
  return { head, staged, ...(branch !== undefined && { branch }), ...(base !== undefined && { base }) };
}

/** 0: it names none. */
export const claimIn = (message: string): number => Number(/^Claim: (\d+)$/m.exec(message)?.[1] ?? 0);
