import { commandLine, mayRun } from "../continuation/index.ts";
import type { Run } from "../run/index.ts";
import { countTodos, type MarkedTodo, type Proof, type Todo } from "../todo/index.ts";
import { STANDINGS, standingOf } from "./standing.ts";

/** What is known about an item, as every screen draws it. */
export const proofOf = (run: Run, todo: Todo): Proof => STANDINGS[standingOf(run, todo)].proof;

/** The list with what is known about each item. */
export const markedTodos = (run: Run | undefined): readonly MarkedTodo[] =>
  run === undefined ? [] : run.plan.todos.map((todo) => ({ ...todo, proof: proofOf(run, todo) }));

export interface ProofCount {
  readonly done: number;
  readonly total: number;
  readonly proven: number;
}

export function countProof(run: Run): ProofCount {
  const { done, total } = countTodos(run.plan.todos);
  return { done, total, proven: markedTodos(run).filter(({ proof }) => proof === "proven").length };
}

/** `[3/4 done · 2 proven]` behind a sentence; nothing where there is no list. */
export const countNote = (run: Run): string => {
  const count = countProof(run);
  return count.total === 0 ? "" : `[${countText(count)}]`;
};

/** `3/4 done · 2 proven`; of a list on which nothing is done there is nothing to prove. */
export function countText(count: ProofCount): string {
  const { done, total, proven } = count;
  return done === 0 ? `0/${total} done` : `${done}/${total} done · ${proven} proven`;
}

export interface ProposedCheck {
  readonly index: number;
  readonly command: string;
}

/** Checks that the agent proposed and that nobody may run before you accept them. */
export const proposedChecks = ({ plan }: Run): readonly ProposedCheck[] =>
  plan.todos.flatMap(({ checks, status }, index) =>
    status === "abandoned"
      ? []
      : checks.filter((check) => !mayRun(check)).map((check) => ({ index, command: commandLine(check) })),
  );
