import { expect, test } from "vitest";
import { NO_USAGE } from "../../core/run/index.ts";
import type { TurnFailure } from "./translate.ts";
import { endOf } from "./turn-over.ts";

const failure = { kind: "context_full", message: "too long" } as const;

test.each<readonly [string, TurnFailure | undefined, object]>([
  ["nothing went wrong", undefined, { outcome: "completed", text: "I stop." }],
  ["aborted", { type: "aborted" }, { outcome: "aborted" }],
  ["failed", { type: "failed", failure }, { outcome: "failed", failure }],
  ["an overflow that was not compacted away", { type: "overflow", failure }, { outcome: "failed", failure }],
])("%s", (_how, trouble, end) => {
  const over = { turn: "t1", trouble, refusal: undefined, text: "I stop.", usage: NO_USAGE };
  expect(endOf(over)).toEqual({ type: "turn.ended", turn: "t1", usage: NO_USAGE, ...end });
  expect(endOf({ ...over, turn: undefined })).toEqual({ type: "turn.ended", usage: NO_USAGE, ...end });
});
