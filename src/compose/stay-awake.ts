/** As long as a timer of Node can be. */
const LONG_MS = 2 ** 31 - 1;

/**
 * Our timers keep no process alive, so that a program that uses us ends when it has nothing else to do. Code that waits
 * for an answer of ours has: until it is there the process stays.
 */
export async function stayAwake<T>(work: () => Promise<T>): Promise<T> {
  const reason = setInterval(() => {}, LONG_MS);
  try {
    return await work();
  } finally {
    clearInterval(reason);
  }
}
