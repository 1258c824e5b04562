/** What takes longer goes on, and nobody waits for it any more. */
export async function inTime<T>(act: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const timer = setTimeout(() => ended.reject(late()), ms);
  try {
    return await Promise.race([act, ended.promise]);
  } finally {
    clearTimeout(timer);
  }
}
