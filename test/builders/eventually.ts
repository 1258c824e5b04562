import { vi } from "vitest";

/** Asks again until it holds. The machine may be busy: how long it takes is no part of what is tested. */
export const eventually = <T>(condition: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(condition, { timeout: 30_000, interval: 20 });
