/**
 * Does something with pi that must not be done to a session that is gone: pi throws at code that still holds one. Code that
 * embeds pi may drop a session without a word, so that a timer of ours is the first to learn of it.
 */
export function whileAlive(act: () => void, gone: () => void): void {
  try {
    act();
  } catch (error) {
    if (!isStale(error)) throw error;
    gone();
  }
}

const isStale = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("stale after session replacement or reload");
