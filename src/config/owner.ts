import type { Stats } from "node:fs";

/**
 * Whether another user owns what was found. In a folder that all may write to, such as the temporary one, every user can leave settings for
 * those who work below it. Under sudo what belongs to the one who called it is theirs. Systems without owners have no strangers.
 */
export function isForeign(found: Pick<Stats, "uid"> | undefined): boolean {
  const me = process.geteuid?.();
  if (found === undefined || me === undefined || found.uid === me) return false;
  return !(me === 0 && process.env.SUDO_UID !== undefined && Number(process.env.SUDO_UID) === found.uid);
}
