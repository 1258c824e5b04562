import { checkKey, commandLine } from "../core/continuation/index.ts";
import type { Checks, Clock } from "../engine/index.ts";

/**
 * Stands in for checks where none may run: a stop hook is killed long before a test suite ends. A list whose receipts are
 * missing or stale is not proven, so what they speak for is open again, and completing it runs them inside that tool call.
 */
export const unrunChecks =
  (clock: Clock): Checks["run"] =>
  async ({ checks }) =>
    checks.map(({ owner, check }) => ({
      key: checkKey(owner, check),
      owner,
      command: commandLine(check),
      status: "cut_short",
      durationMs: 0,
      digest: "",
      tail: "The files changed after this check passed, or it never ran. It runs again when the todo is completed.",
      askedBy: "engine",
      suspect: false,
      at: clock.now(),
    }));
