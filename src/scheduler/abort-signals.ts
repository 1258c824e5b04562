/** Listens to each signal once, however many wait for it; a thousand batches on one signal are one listener. */
export function createAbortSignals() {
  const waiting = new Map<AbortSignal, { readonly callbacks: Set<() => void>; readonly listener: () => void }>();

  function forget(signal: AbortSignal, callback: () => void): void {
    const entry = waiting.get(signal);
    if (entry === undefined || !entry.callbacks.delete(callback) || entry.callbacks.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", entry.listener);
  }

  return {
    /** Calls back when the signal aborts; gives what stops listening. */
    on(signal: AbortSignal, callback: () => void): () => void {
      let entry = waiting.get(signal);
      if (entry === undefined) {
        const callbacks = new Set<() => void>();
        const listener = () => {
          waiting.delete(signal);
          for (const each of callbacks) each();
        };
        entry = { callbacks, listener };
        waiting.set(signal, entry);
        signal.addEventListener("abort", listener, { once: true });
      }
      entry.callbacks.add(callback);
      return () => forget(signal, callback);
    },
  };
}
