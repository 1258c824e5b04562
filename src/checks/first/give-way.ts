/**
 * Rounds go first: what is tried in the background is cut short when one begins, and begins anew when none is left. Two commands of the
 * same check would fight over ports and files.
 */
export interface GiveWay {
  /** Begins when no command of the background runs any more. */
  round<T>(work: () => Promise<T>): Promise<T>;
  /** Undefined: `signal` cut it short. */
  background<T>(
    work: (tries: { readonly signal: AbortSignal; command<C>(run: () => Promise<C>): Promise<C> }) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | undefined>;
}

export function createGiveWay(): GiveWay {
  const commands = new Set<Promise<unknown>>();
  const cuts = new Set<() => void>();
  let rounds = 0;
  let quiet = Promise.withResolvers<void>();
  quiet.resolve();
  return { round, background };

  async function round<T>(work: () => Promise<T>): Promise<T> {
    if (rounds++ === 0) quiet = Promise.withResolvers<void>();
    for (const cut of cuts) cut();
    try {
      await Promise.allSettled(commands);
      return await work();
    } finally {
      if (--rounds === 0) quiet.resolve();
    }
  }

  async function background<T>(
    work: Parameters<GiveWay["background"]>[0] & ((...given: never[]) => Promise<T>),
    signal: AbortSignal,
  ): Promise<T | undefined> {
    while (!signal.aborted) {
      await quiet.promise;
      const own = new AbortController();
      const cut = () => own.abort();
      cuts.add(cut);
      const both = AbortSignal.any([own.signal, signal]);
      try {
        const result = (await work({ signal: both, command })) as T;
        if (!both.aborted) return result;
      } finally {
        cuts.delete(cut);
      }
    }
    return undefined;
  }

  async function command<C>(run: () => Promise<C>): Promise<C> {
    const running = run();
    commands.add(running);
    try {
      return await running;
    } finally {
      commands.delete(running);
    }
  }
}
