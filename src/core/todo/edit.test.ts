import { describe, expect, test } from "vitest";
import { todos } from "../../testing/index.ts";
import {
  type EditCommand,
  evolveTodos,
  type HumanEdit,
  type Proposal,
  plainList,
  proposeEdit,
  proposeHumanEdit,
  type Todo,
  type TodoEvent,
} from "./index.ts";

function after(list: readonly Todo[], proposal: Proposal<TodoEvent>) {
  if (!proposal.ok) return proposal.refusal.code;
  return proposal.events
    .reduce(evolveTodos, list)
    .map(({ status, reason }) => (reason ? `${status}: ${reason}` : status));
}

describe("the agent's edits", () => {
  const edited = (list: readonly Todo[], command: EditCommand) => after(list, proposeEdit(list, command));
  const MOVES: readonly (readonly [string, readonly Todo[], EditCommand, unknown])[] = [
    ["start", todos("not_started"), { action: "start", indices: [0] }, ["in_progress"]],
    [
      "several may be in progress",
      todos("in_progress", "not_started"),
      { action: "start", indices: [1] },
      ["in_progress", "in_progress"],
    ],
    ["start unblocks, and the reason goes", todos("blocked"), { action: "start", indices: [0] }, ["in_progress"]],
    ["complete what was started", todos("in_progress"), { action: "complete", indices: [0] }, ["completed"]],
    ["complete without a start", todos("not_started"), { action: "complete", indices: [0] }, ["completed"]],
    ["block", todos("in_progress"), { action: "block", indices: [0], reason: "no\n key" }, ["blocked: no key"]],
    [
      "block again with a better reason",
      todos("blocked"),
      { action: "block", indices: [0], reason: "no key" },
      ["blocked: no key"],
    ],
    ["abandon", todos("blocked"), { action: "abandon", indices: [0], reason: "not wanted" }, ["abandoned: not wanted"]],
    [
      "abandon what waits for release",
      todos({ askFirst: true }),
      { action: "abandon", indices: [0], reason: "no" },
      ["abandoned: no"],
    ],
    [
      "several at once",
      todos("in_progress", "blocked", "not_started"),
      { action: "complete", indices: [2, 0] },
      ["completed", "blocked: blocked in a test", "completed"],
    ],
    [
      "complete one and start the next",
      todos("in_progress", { needs: ["t1"] }),
      { action: "complete", indices: [0], start: [1] },
      ["completed", "in_progress"],
    ],
    [
      "block one and start another",
      todos("in_progress", {}),
      { action: "block", indices: [0], start: [1], reason: "no key" },
      ["blocked: no key", "in_progress"],
    ],
    [
      "what cannot be started completes nothing",
      todos("in_progress", { needs: ["t3"] }, {}),
      { action: "complete", indices: [0], start: [1] },
      "needs_unmet",
    ],
    [
      "what cannot be completed starts nothing",
      todos("blocked", {}),
      { action: "complete", indices: [0], start: [1] },
      "blocked",
    ],
    ["all or nothing", todos("in_progress", "abandoned"), { action: "complete", indices: [0, 1] }, "already_finished"],
    [
      "what is completed together meets its needs",
      todos({}, { needs: ["t1"] }),
      { action: "complete", indices: [1, 0] },
      ["completed", "completed"],
    ],
    [
      "what is started together does not",
      todos({}, { needs: ["t1"] }),
      { action: "start", indices: [0, 1] },
      "needs_unmet",
    ],
    [
      "a blocked need is not met",
      todos("blocked", { needs: ["t1"] }),
      { action: "start", indices: [1] },
      "needs_unmet",
    ],
    [
      "an abandoned need is not met",
      todos("abandoned", { needs: ["t1"] }),
      { action: "complete", indices: [1] },
      "needs_unmet",
    ],
    [
      "a completed need is met",
      todos("completed", { needs: ["t1"] }),
      { action: "start", indices: [1] },
      ["completed", "in_progress"],
    ],
  ];
  test.each(MOVES)("%s", (_name, list, command, expected) => expect(edited(list, command)).toEqual(expected));

  test("fifty at once are not too many", () => {
    const list = todos(...Array.from({ length: 50 }, () => "not_started" as const));
    expect(edited(list, { action: "start", indices: list.map((_, index) => index) })).toHaveLength(50);
  });
});

describe("the user's edits", () => {
  const edited = (list: readonly Todo[], edit: HumanEdit) => {
    const proposal = proposeHumanEdit(list, edit);
    return proposal.ok ? plainList(proposal.events.reduce(evolveTodos, list)) : proposal.refusal.code;
  };
  const list = todos("completed", "blocked", { askFirst: true, needs: ["t1"] }, "abandoned");
  const EDITS: readonly (readonly [string, HumanEdit, string])[] = [
    [
      "done needs no start, no release and no check",
      { action: "done", indices: [1, 2] },
      "◇ [0] work on 0\n◇ [1] work on 1\n◇ [2] work on 2\n✗ [3] work on 3",
    ],
    ["drop takes it off the list", { action: "drop", indices: [0, 3] }, "⏸ [0] work on 1\n– [1] work on 2"],
    [
      "unblock",
      { action: "unblock", indices: [1] },
      "◇ [0] work on 0\n– [1] work on 1\n– [2] work on 2\n✗ [3] work on 3",
    ],
    [
      "reopen what is finished",
      { action: "reopen", indices: [0, 3] },
      "– [0] work on 0\n⏸ [1] work on 1\n– [2] work on 2\n– [3] work on 3",
    ],
    [
      "change the words",
      { action: "change", index: 1, text: " Do\nit " },
      "◇ [0] work on 0\n⏸ [1] Do it\n– [2] work on 2\n✗ [3] work on 3",
    ],
    ["empty words", { action: "change", index: 1, text: " " }, "text_empty"],
    ["too many words", { action: "change", index: 1, text: "x".repeat(1001) }, "text_too_long"],
    [
      "its own words",
      { action: "change", index: 1, text: "work on 1", priority: "low" },
      "◇ [0] work on 0\n⏸ [1] work on 1\n– [2] work on 2\n✗ [3] work on 3",
    ],
    [
      "move down",
      { action: "move", index: 0, to: 2 },
      "⏸ [0] work on 1\n– [1] work on 2\n◇ [2] work on 0\n✗ [3] work on 3",
    ],
    [
      "move up",
      { action: "move", index: 3, to: 0 },
      "✗ [0] work on 3\n◇ [1] work on 0\n⏸ [2] work on 1\n– [3] work on 2",
    ],
    ["an index there is not", { action: "drop", indices: [4] }, "index_out_of_range"],
    ["all or nothing", { action: "unblock", indices: [1, 2] }, "not_blocked"],
  ];
  test.each(EDITS)("%s", (_name, edit, expected) => expect(edited(list, edit)).toBe(expected));

  test("release lets it be worked on", () => {
    const proposal = proposeHumanEdit(list, { action: "release", indices: [2] });
    expect(proposal.ok && proposal.events.reduce(evolveTodos, list)[2]).toMatchObject({ askFirst: false });
  });

  test("what the user takes off the list, nothing waits for any more", () => {
    const needing = todos("not_started", { needs: ["t1"] });
    const proposal = proposeHumanEdit(needing, { action: "drop", indices: [0] });
    expect(proposal.ok && proposal.events.reduce(evolveTodos, needing)).toMatchObject([{ id: "t2", needs: [] }]);
  });
});
