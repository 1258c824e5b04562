import type { Todo, TodoStatus } from "./todo.ts";

/**
 * How every screen draws an item: one glyph and one colour for each thing that can be known about it. A claim never looks
 * like a proof; only what is over and settled is struck through.
 */
export const MARKS = {
  open: { glyph: "–", role: "dim", struck: false, says: "not started" },
  working: { glyph: "●", role: "warning", struck: false, says: "in progress" },
  blocked: { glyph: "⏸", role: "muted", struck: false, says: "blocked, with the reason" },
  claimed: { glyph: "◇", role: "accent", struck: false, says: "completed, says the agent; no check proves it" },
  proven: { glyph: "✓", role: "success", struck: true, says: "completed, and proven by a check or by you" },
  failed: { glyph: "!", role: "error", struck: false, says: "its check failed" },
  suspect: { glyph: "?", role: "alarm", struck: false, says: "completed in a way that needs your review" },
  abandoned: { glyph: "✗", role: "error", struck: true, says: "given up" },
} as const satisfies Record<string, { glyph: string; role: string; struck: boolean; says: string }>;
export type Proof = keyof typeof MARKS;
export type Role = (typeof MARKS)[Proof]["role"] | "text";

/** An item and what is known about it. Without a run to ask, a completed item is a claim. */
export type MarkedTodo = Todo & { readonly proof?: Proof };

export const markOf = ({ status, proof }: Pick<MarkedTodo, "status" | "proof">) => MARKS[proof ?? BY_STATUS[status]];

const BY_STATUS = {
  not_started: "open",
  in_progress: "working",
  blocked: "blocked",
  completed: "claimed",
  abandoned: "abandoned",
} as const satisfies Record<TodoStatus, Proof>;
