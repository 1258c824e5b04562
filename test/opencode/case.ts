import { expect } from "vitest";
import type { FakeOpenCode } from "./fake-opencode.ts";

/** A case is played on a fake OpenCode, or names the test of another file that shows it. */
export type Case = ((fake: FakeOpenCode) => Promise<void>) | { readonly in: string; readonly test: string };
export const shownIn = (file: string, title: string): Case => ({ in: file, test: title });

export const ABORT = "MessageAbortedError";
export const OVERLOAD = { statusCode: 503, message: "overloaded" };
export const NEVER = 3_600_000;
/** As long as a turn may be silent, and a little less: after that it is ended. */
export const WHILE_BUSY = 840_000;
export const COUNTDOWN = 2_000;
export const GAP = 1_000;

/** So many prompts have gone out when this time has passed. */
export async function sends(fake: FakeOpenCode, count: number, within = COUNTDOWN): Promise<void> {
  await fake.wait(within);
  expect(fake.prompts).toHaveLength(count);
}
