/**
 * How wide the times of files are. A kernel stamps files by a clock that moves every 4 to 10 ms: within one step two changes carry the same
 * time, and a file may look older than the moment before it was written.
 */
export const FILE_TICK_MS = 50;

/** Whether a file changed so lately that it may change again and look the same. What was read of it is not to be remembered by its times. */
export const mayLookTheSame = (changedMs: number | bigint, nowMs: number): boolean =>
  Number(changedMs) >= nowMs - FILE_TICK_MS;
