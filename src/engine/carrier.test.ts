import { expect, test } from "vitest";
import { DEFAULTS } from "../core/continuation/index.ts";
import { createFakeClock, HOST_KINDS, history } from "../testing/index.ts";
import type { Capabilities } from "./capabilities.ts";
import { createCarrier } from "./carrier.ts";
import { createHeldBoundary } from "./held-boundary.ts";

/** A process that lives for one event and may hold the boundary, of a host whose next conversation begins with a new process. */
const capabilities: Capabilities = {
  ...HOST_KINDS.hook,
  ...{ holds: { countdownMs: 50_000, waitMs: 50_000 }, renews: "process" },
};

/** Whether the host still waits after the turn that ended a todo. */
function isHeldAfterTodo(countdownMs: number): boolean {
  const limits = { ...DEFAULTS, countdownMs, context: { ...DEFAULTS.context, mode: "fresh" as const } };
  const it = history({ limits, renews: "process", waker: "a supervisor" })
    .writes("a", "b")
    .turn("human")
    .completes(0)
    .ends();
  const boundary = createHeldBoundary(true);
  boundary.hold(
    () => {},
    () => ({ type: "done", text: "" }),
  );
  const carrier = createCarrier({
    ...{ clock: createFakeClock(it.now), capabilities, boundary },
    park: () => {},
    ring: () => true,
  });
  carrier.carry({ run: it.run, isDriven: true, limits, isChecking: false, isRechecking: false });
  return boundary.isHeld();
}

test("a todo that begins in a new process of the host lets this one end at once", () => {
  expect(isHeldAfterTodo(0)).toBe(false);
});

test("its countdown is held to the end all the same", () => {
  expect(isHeldAfterTodo(5_000)).toBe(true);
});
