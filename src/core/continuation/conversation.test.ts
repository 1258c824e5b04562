import { expect, test } from "vitest";
import { aRun, todos } from "../../testing/index.ts";
import { type Conversation, type NudgeKind, type Run, UNBORN } from "../run/index.ts";
import { chooseConversation, mayRenew } from "./conversation.ts";
import { DEFAULTS, type Limits } from "./limits.ts";

const inside = (given: Partial<Conversation>): { readonly conversation: Conversation } => ({
  conversation: { ...UNBORN.ledger.conversation, ...given },
});
const list = todos("completed", "not_started", "not_started");
const needing = todos("completed", { needs: ["t1"] });
const ONE = { ended: ["t1"] };
/** A request of 2,000 tokens at its beginning and so many now, after so many requests. */
const sized = (last: number, given: Partial<Conversation> = {}) =>
  inside({ ...ONE, number: 2, first: 2_000, last, requests: 3, ...given });

const choose = (run: Run, context: Partial<Limits["context"]>, kind: NudgeKind = "todo") =>
  chooseConversation(run, { context: { ...DEFAULTS.context, ...context } }, kind, () => 500);

const FRESH = { mode: "fresh" } as const;
const AUTO = { mode: "auto" } as const;

test.each<[string, "same" | "fresh", string, Run, Partial<Limits["context"]>, NudgeKind?]>([
  ["it was not asked for", "same", "`context` is `same`", aRun({ todos: list, ...inside(ONE) }), {}],
  [
    "the host cannot",
    "same",
    "this host cannot start a new conversation",
    aRun({ todos: list, ...inside(ONE) }),
    { ...FRESH, can: false },
  ],
  ["no todo ended yet", "same", "no todo ended in this conversation yet", aRun({ todos: list }), FRESH],
  ["a todo ended", "fresh", "`context` is `fresh`, and [0] ended", aRun({ todos: list, ...inside(ONE) }), FRESH],
  [
    "two of three ended",
    "same",
    "2 of 3 todos ended in this conversation",
    aRun({ todos: list, ...inside({ ended: ["t1", "t2"] }) }),
    { ...FRESH, every: 3 },
  ],
  [
    "a phase began",
    "fresh",
    "`context` is `fresh`, and a phase began",
    aRun({ todos: list, ...inside({ phases: 1 }) }),
    { ...FRESH, every: 3 },
  ],
  [
    "the agent asked something",
    "same",
    "the agent is asked about the conversation before",
    aRun({ todos: list, ...inside(ONE) }),
    FRESH,
    "question",
  ],
  [
    "it winds down",
    "same",
    "the agent is asked about the conversation before",
    aRun({ todos: list, ...inside(ONE) }),
    FRESH,
    "wind_down",
  ],
  [
    "it works on the next one already",
    "same",
    "the agent is in the middle of [1]",
    aRun({
      todos: todos("completed", "in_progress"),
      activity: 3,
      ...inside({ ...ONE, since: { activity: 2, answers: 1 } }),
    }),
    FRESH,
  ],
  [
    "it only started the next one",
    "fresh",
    "`context` is `fresh`, and [0] ended",
    aRun({
      todos: todos("completed", "in_progress"),
      activity: 2,
      ...inside({ ...ONE, since: { activity: 2, answers: 1 } }),
    }),
    FRESH,
  ],
  [
    "auto, and the conversation is small",
    "same",
    "`context` is `auto`, and this one is cheaper: it holds 2,100 tokens; a new one would hold about 2,000, with a briefing of 500",
    aRun({ todos: list, ...sized(2_100) }),
    AUTO,
  ],
  [
    "auto, and it has grown",
    "fresh",
    "`context` is `auto`, and [1] needs nothing of this conversation: it holds 9,000 tokens; a new one would hold about 2,000, with a briefing of 500",
    aRun({ todos: list, ...sized(9_000) }),
    AUTO,
  ],
  [
    "auto, and it is cached",
    "same",
    "`context` is `auto`, and this one is cheaper: it holds 3,000 tokens, mostly cached; a new one would hold about 2,000, with a briefing of 500",
    aRun({ todos: list, ...sized(3_000, { cached: 2_900 }) }),
    AUTO,
  ],
  [
    "auto, cached and large all the same",
    "fresh",
    "`context` is `auto`, and [1] needs nothing of this conversation: it holds 9,000 tokens, mostly cached; a new one would hold about 2,000, with a briefing of 500",
    aRun({ todos: list, ...sized(9_000, { cached: 8_900 }) }),
    AUTO,
  ],
  [
    "auto, and the next todo builds on the last",
    "same",
    "`context` is `auto`, and [1] needs [0], which was done in this conversation",
    aRun({ todos: needing, ...sized(90_000) }),
    AUTO,
  ],
  [
    "auto, and what it needs was done in another conversation",
    "fresh",
    "`context` is `auto`, and [1] needs nothing of this conversation: it holds 90,000 tokens; a new one would hold about 2,000, with a briefing of 500",
    aRun({ todos: todos("completed", { needs: ["t1"] }, "completed"), ...sized(90_000, { ended: ["t3"] }) }),
    AUTO,
  ],
  [
    "auto, and the sizes are unknown",
    "fresh",
    "`context` is `auto`, and [1] needs nothing of this conversation, whose size is not known here",
    aRun({ todos: list, ...inside(ONE) }),
    AUTO,
  ],
  [
    "auto in the first conversation counts the briefing",
    "same",
    "`context` is `auto`, and this one is cheaper: it holds 2,400 tokens; a new one would hold about 2,500, with a briefing of 500",
    aRun({ todos: list, ...sized(2_400, { number: 1 }) }),
    AUTO,
  ],
])("%s -> %s: %s", (_situation, start, why, run, context, kind) => {
  expect(choose(run, context, kind)).toEqual({ start, why });
});

test("it is asked once for every end of a todo, and only while a turn runs", () => {
  const at = (kept: number | undefined, turn: boolean) => {
    const conversation = { ...ONE, ...(kept !== undefined && { kept: { ended: kept, why: "small" } }) };
    const run = aRun({ todos: list, ...inside(conversation), ...(turn && { turn: { id: "t" } as never }) });
    return mayRenew(run, { context: { ...DEFAULTS.context, mode: "fresh" } });
  };
  expect([at(undefined, true), at(0, true), at(1, true), at(undefined, false)]).toEqual([true, true, false, false]);
});
