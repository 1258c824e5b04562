import type { RunEvent } from "../../src/core/run/index.ts";
import type { Todo } from "../../src/core/todo/index.ts";
import type { Facts } from "./facts.ts";
import { progress, takenUp } from "./take-progress.ts";

/** The list and the workflow. */
export function takePlan(facts: Facts, event: RunEvent, by: string): void {
  const isList = event.type.startsWith("todo");
  if (isList || event.type.startsWith("phase.") || event.type.startsWith("workflow."))
    takenUp(facts, isList && by === "model" ? "clearly" : "perhaps");
  switch (event.type) {
    case "plan.rebased":
      facts.todos = event.plan.todos;
      facts.workflowActive = event.plan.workflow?.status === "active";
      facts.hadWorkflow = event.plan.workflow !== undefined;
      // Where the user went back to before a phase, entering it again is progress again.
      facts.placesEntered.clear();
      for (const place of event.plan.workflow?.visited ?? []) facts.placesEntered.add(place);
      return;
    case "todos.written": {
      const known = new Map([...facts.todos, ...event.items].map((todo) => [todo.id, todo]));
      for (const { id } of event.items) if (!facts.writtenAt.has(id)) facts.writtenAt.set(id, facts.activity);
      if (facts.firstList.size === 0) for (const id of event.order) facts.firstList.add(id);
      facts.todos = event.order.flatMap((id) => known.get(id) ?? []);
      if (by === "model") facts.workedInPhase = true;
      if (by === "model") abandon(facts, event.dropped);
      return;
    }
    case "todo.started":
      change(facts, event.ids, { status: "in_progress" });
      return;
    case "todo.completed":
      for (const id of event.ids) complete(facts, id, by);
      return;
    case "todo.abandoned":
      change(facts, event.ids, { status: "abandoned" });
      if (by === "model" || by === "subagent") abandon(facts, event.ids);
      return;
    case "todo.blocked":
      change(facts, event.ids, { status: "blocked" });
      return;
    case "todo.reopened":
      change(facts, event.ids, { status: event.to });
      for (const id of event.ids) {
        facts.abandonedByModel.delete(id);
        facts.completedByHuman.delete(id);
        facts.completedUnseen.delete(id);
      }
      return;
    case "todo.released":
      change(facts, event.ids, { askFirst: false });
      return;
    case "todo.moved": {
      const moved = facts.todos.find(({ id }) => id === event.id);
      if (moved) facts.todos = facts.todos.filter(({ id }) => id !== event.id).toSpliced(event.to, 0, moved);
      return;
    }
    case "todo.removed":
      facts.todos = facts.todos
        .filter(({ id }) => !event.ids.includes(id))
        .map((todo) => ({ ...todo, needs: todo.needs.filter((id) => !event.ids.includes(id)) }));
      for (const id of event.ids) facts.abandonedByModel.delete(id);
      return;
    case "workflow.started":
    case "phase.entered":
    case "workflow.looped": {
      facts.workflowActive = true;
      if (event.type === "workflow.started") facts.workflowGivenUp = false;
      facts.hadWorkflow = true;
      const place = event.path.map(({ workflowKey, phaseIndex }) => `${workflowKey}:${phaseIndex}`).join(">");
      if (event.type === "workflow.started") facts.placesEntered.clear();
      if (event.type === "workflow.started") facts.idlePhases.clear();
      else leave(facts, by);
      facts.place = place;
      facts.workedInPhase = false;
      if (!facts.placesEntered.has(place)) progress(facts, by === "model" ? "clearly" : "perhaps");
      facts.placesEntered.add(place);
      return;
    }
    case "workflow.finished":
    case "workflow.cancelled":
      if (event.type === "workflow.finished") leave(facts, by);
      facts.workflowActive = false;
      facts.workflowGivenUp = event.type === "workflow.cancelled" && by !== "human";
      if (facts.workflowGivenUp) facts.accepted = false;
  }
}

/** Rounds of checks and what they proved. */
export function takeProof(facts: Facts, event: RunEvent): void {
  if (event.type === "round.began") {
    facts.round = { id: event.round, until: event.until };
    return;
  }
  if (event.type === "check.observed")
    facts.receipts.set(`${event.receipt.owner} ${event.receipt.command}`, event.receipt);
  if (event.type !== "round.ended" || facts.round?.id !== event.round) return;
  if (facts.boundary && !facts.turn)
    for (const { durationMs } of event.receipts) facts.spent.activeMs += Math.max(0, durationMs);
  facts.round = undefined;
  if (facts.boundary && event.cut === undefined) facts.boundary.checked = true;
  for (const receipt of event.receipts) {
    const before = facts.receipts.get(`${receipt.owner} ${receipt.command}`);
    facts.receipts.set(`${receipt.owner} ${receipt.command}`, receipt);
    facts.workspace = receipt.workspace ?? facts.workspace;
    if (receipt.suspect && !(before?.suspect && before.doubt === receipt.doubt)) facts.accepted = false;
    if (receipt.status !== "passed" || facts.passedOnce.has(receipt.key)) continue;
    facts.passedOnce.add(receipt.key);
    progress(facts, "perhaps");
  }
}

function complete(facts: Facts, id: string, by: string): void {
  const todo = facts.todos.find((candidate) => candidate.id === id);
  if (!todo || todo.status === "completed") return;
  facts.abandonedByModel.delete(id);
  change(facts, [id], { status: "completed" });
  if ((facts.writtenAt.get(id) ?? -1) >= facts.activity) facts.completedUnseen.set(id, facts.turn?.id ?? "");
  else facts.completedUnseen.delete(id);
  if (by === "human") facts.completedByHuman.add(id);
  else {
    facts.completedByHuman.delete(id);
    facts.accepted = false; // what was accepted is what there was
  }
  if (facts.completedOnce.has(id)) return;
  facts.completedOnce.add(id);
  if (todo.by !== "model" || facts.firstList.has(id)) progress(facts, "perhaps");
  else if (facts.lateProgress++ < LATE_PROGRESS) progress(facts, "perhaps");
}

function leave(facts: Facts, by: string): void {
  if (!facts.workflowActive || by !== "model" || facts.workedInPhase) facts.idlePhases.delete(facts.place);
  else {
    facts.idlePhases.add(facts.place);
    facts.accepted = false;
  }
}

function abandon(facts: Facts, ids: readonly string[]): void {
  for (const id of ids) facts.abandonedByModel.add(id);
  if (ids.length > 0) facts.accepted = false;
}

function change(facts: Facts, ids: readonly string[], to: Partial<Todo>): void {
  facts.todos = facts.todos.map((todo) => (ids.includes(todo.id) ? { ...todo, ...to } : todo));
}

/** What the model added after its first list counts as progress so often until the user speaks. */
const LATE_PROGRESS = 20;
