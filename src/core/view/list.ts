import type { Run } from "../run/index.ts";
import { isFinished, MARKS, type Proof, type Todo } from "../todo/index.ts";
import { STANDINGS, type Standing, standingOf } from "./standing.ts";

/** An item as you and the agent read it: what is known about it, and how that is drawn. */
export interface ViewTodo extends Todo {
  readonly index: number;
  readonly standing: Standing;
  readonly proof: Proof;
  readonly glyph: string;
}

export interface Count {
  /** What is finished, abandoned items included: they are not work that remains. */
  readonly done: number;
  readonly total: number;
  readonly remaining: number;
  readonly proven: number;
  /** `3/4 done · 2 proven`. */
  readonly text: string;
}

/** The list and its count: the one place where a standing, a glyph or a count is worked out. */
export interface ListView {
  readonly todos: readonly ViewTodo[];
  readonly count: Count;
}

export function listOf(run: Run | undefined): ListView {
  const todos = run === undefined ? [] : run.plan.todos.map((todo, index) => viewTodo(run, todo, index));
  const done = todos.filter(isFinished).length;
  const total = todos.length;
  const proven = todos.filter(({ proof }) => proof === "proven").length;
  return { todos, count: { done, total, remaining: total - done, proven, text: countText({ done, total, proven }) } };
}

function viewTodo(run: Run, todo: Todo, index: number): ViewTodo {
  const standing = standingOf(run, todo);
  const { proof } = STANDINGS[standing];
  return { ...todo, index, standing, proof, glyph: MARKS[proof].glyph };
}

/** `3/4 done · 2 proven`; of a list on which nothing is done there is nothing to prove. */
export const countText = ({ done, total, proven }: Pick<Count, "done" | "total" | "proven">): string =>
  done === 0 ? `0/${total} done` : `${done}/${total} done · ${proven} proven`;

/** `[3/4 done · 2 proven]` behind a sentence; nothing where there is no list. */
export function countNote(run: Run): string {
  const { total, text } = listOf(run).count;
  return total === 0 ? "" : `[${text}]`;
}
