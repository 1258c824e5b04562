import type { Decision, Mode, Rule, ToolKind } from "../core/call/index.ts";
import { command } from "./command-kinds.ts";
import { fields } from "./fields.ts";
import { accept, type Kind, list, oneOf, refuse, text } from "./kind.ts";

/** From loosest to strictest. */
export const MODES_BY_STRICTNESS = ["yolo", "auto-edit", "ask", "plan"] as const satisfies readonly Mode[];
export const mode: Kind<Mode> = oneOf(MODES_BY_STRICTNESS);

// Only types come from the calls' room: its policy is loaded when there are rules to try, not by every hook.
const decisions = Object.keys({ allow: 0, ask: 0, deny: 0 } satisfies Record<Decision, 0>) as Decision[];
const kinds = Object.keys({
  own: 0,
  read: 0,
  fetch: 0,
  edit: 0,
  execute: 0,
  other: 0,
} satisfies Record<ToolKind, 0>) as ToolKind[];
const words = text("a text", /\S/);
const DEEPEST = 20;
const anything: Kind<unknown> = {
  expected: `a value nested at most ${DEEPEST} deep`,
  read: (value) => (isShallow(value, DEEPEST) ? accept(value) : refuse(anything.expected, value)),
  fromText: (line) => line,
  show: (value) => JSON.stringify(value),
  schema: {},
};

export const rule: Kind<Rule> = fields(
  "an approval rule",
  {
    name: words,
    decision: oneOf(decisions),
    tool: words,
    kind: oneOf(kinds),
    server: words,
    command,
    path: words,
    args: anything,
    modes: list(mode),
    message: words,
    examples: fields("examples", { covers: list(words), spares: list(words) }, ["covers", "spares"]),
  },
  ["name", "decision"],
);

/** What compares and prints a value walks down into it; a hostile one must not be deeper than their stack. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
