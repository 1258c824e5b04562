/** Nothing takes longer to be stored. */
const STORING_MS = 5000;

/**
 * OpenCode waits for us at the end of a text. A prompt may come meanwhile: the loop looks when we let go, and ends if that prompt
 * does not lie there yet.
 */
export function createHeldText(pause: (ms: number) => Promise<void>) {
  let isHeld = false;
  let storing: { readonly message: string; readonly done: PromiseWithResolvers<void> } | undefined;

  return {
    hold(): void {
      isHeld = true;
    },
    release(): void {
      isHeld = false;
    },
    prompted(message: string): void {
      if (isHeld) storing = { message, done: Promise.withResolvers() };
    },
    stored(message: string | undefined): void {
      if (message === storing?.message) storing?.done.resolve();
    },
    /** Everything that was prompted while it was held lies there. */
    async allStored(): Promise<void> {
      if (!storing) return;
      await Promise.race([storing.done.promise, pause(STORING_MS)]);
      storing = undefined;
    },
  };
}
