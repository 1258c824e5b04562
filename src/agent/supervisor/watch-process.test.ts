import { expect, test } from "vitest";
import type { HostName } from "../../config/index.ts";
import { DEFAULTS } from "../../core/continuation/index.ts";
import type { Failure } from "../../core/run/index.ts";
import type { Line } from "../../hosts/index.ts";
import { memoryStore } from "../../store/index.ts";
import { createFakeClock } from "../../testing/index.ts";
import { programOf } from "./program.ts";
import { watchProcess } from "./watch-process.ts";

const MINUTE = 60_000;
const CALL: Readonly<Record<string, readonly [Line, Line]>> = {
  "claude-code": [
    { type: "assistant", message: { content: [{ type: "tool_use" }] } },
    { type: "user", message: { content: [{ type: "tool_result" }] } },
  ],
  codex: [
    { type: "item.started", item: { type: "command_execution" } },
    { type: "item.completed", item: { type: "command_execution" } },
  ],
  gemini: [{ type: "tool_use" }, { type: "tool_result" }],
};

test.each(Object.keys(CALL) as HostName[])("%s: silence is ended, but not while a tool runs", async (host) => {
  const clock = createFakeClock();
  const ends: (Failure | undefined)[] = [];
  const watch = watchProcess({
    clock,
    store: memoryStore(),
    limits: DEFAULTS,
    program: programOf(host),
    run: () => undefined,
    check: async () => {},
    meter: async () => {},
    end: (failure) => ends.push(failure),
  });
  const [began, ended] = CALL[host]!;
  watch.heard(began);
  await clock.advance(50 * MINUTE);
  expect(ends).toEqual([]);
  watch.heard(ended);
  await clock.advance(14 * MINUTE);
  expect(ends).toEqual([]);
  await clock.advance(2 * MINUTE);
  expect(ends).toEqual([
    { kind: "host", message: `${programOf(host).title} printed nothing for 15 min and was ended` },
  ]);
});
