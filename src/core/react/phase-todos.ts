import { oneLine } from "../text/index.ts";
import { isFinished, proposeWrite, type Todo, type TodoEvent } from "../todo/index.ts";
import { currentPhase, type PhaseDefinition } from "../workflow/index.ts";
import type { Draft } from "./draft.ts";

/** What a phase put on the list bears its mark; what the agent wrote in the same words is the same thing. */
export function belongsTo(phase: PhaseDefinition, { covers, text }: Todo): boolean {
  return covers.includes(markOf(phase)) || phase.todos.some((todo) => oneLine(todo.text) === text);
}

const markOf = (phase: PhaseDefinition): string => `phase:${phase.id}`;

/** What the phase that was just entered wants done stands on the list, open, also when it is entered again. */
export function writePhaseTodos(draft: Draft): void {
  const phase = currentPhase(draft.run.plan.workflow)?.phase;
  if (!phase || phase.todos.length === 0) return;
  const { todos } = draft.run.plan;
  const wanted = phase.todos.map((todo) => ({ todo, known: todos.find(({ text }) => text === oneLine(todo.text)) }));
  const again = wanted.flatMap(({ known }) => (known && isFinished(known) ? [known.id] : []));
  if (again.length > 0) draft.add("plan", { type: "todo.reopened", ids: again, to: "not_started" });
  const fresh = wanted.flatMap(({ todo, known }) => (known ? [] : [todo]));
  if (fresh.length === 0) return;
  const proposal = proposeWrite(todos, {
    mode: "append",
    todos: fresh.map(({ text, priority, askFirst }) => ({ text, priority, askFirst, covers: [markOf(phase)] })),
    by: "plan",
    firstId: draft.run.ledger.nextTodoId,
  });
  if (proposal.ok) for (const event of proposal.events) draft.add("plan", withChecks(event, fresh));
  else
    draft.perform({
      type: "human.tell",
      notice: `The todos of the phase ${oneLine(phase.name)} are not on the list: ${proposal.refusal.message}`,
    });
}

function withChecks(event: TodoEvent, todos: PhaseDefinition["todos"]): TodoEvent {
  if (event.type !== "todos.written") return event;
  return { ...event, items: event.items.map((item, index) => ({ ...item, checks: todos[index]?.checks ?? [] })) };
}
