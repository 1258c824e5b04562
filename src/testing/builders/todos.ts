import type { Todo, TodoStatus } from "../../core/todo/index.ts";

/** One item per status, or per given part of one: `t1` "work on 0", `t2` "work on 1", ... */
export function todos(...given: readonly (TodoStatus | Partial<Todo>)[]): readonly Todo[] {
  return given.map((each, index) => ({
    id: `t${index + 1}`,
    text: `work on ${index}`,
    status: "not_started",
    priority: "medium",
    needs: [],
    checks: [],
    covers: [],
    touches: [],
    askFirst: false,
    by: "model",
    ...(typeof each === "string" ? { status: each, ...reasonOf(each) } : { ...reasonOf(each.status), ...each }),
  }));
}

const reasonOf = (status: TodoStatus | undefined): Pick<Todo, "reason"> =>
  status === "blocked" || status === "abandoned" ? { reason: `${status} in a test` } : {};
