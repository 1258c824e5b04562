import type { SwitchedOff } from "../hook-profile.ts";

/** Those of these settings in a file that are made. */
export const offIn = (
  path: string,
  rows: readonly (readonly [isMade: boolean, setting: string, effect: SwitchedOff["effect"]])[],
): readonly SwitchedOff[] => rows.flatMap(([isMade, setting, effect]) => (isMade ? [{ path, setting, effect }] : []));
