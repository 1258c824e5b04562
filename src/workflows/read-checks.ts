import { type Check, isTrivialCheck, PRIORITIES, parseDuration } from "../core/todo/index.ts";
import type { PhaseTodo } from "../core/workflow/index.ts";
import { Fields, isMapping, type Note } from "./fields.ts";
import { LIMITS } from "./limits.ts";
import { described, type Place } from "./problem.ts";

/**
 * `checks:` and `todos:` of a phase. A check is a shell line, a list of arguments, or a mapping with `run`, `cwd` and
 * `timeout`; a todo is a text, or a mapping with `text`, `priority`, `askFirst` and `checks`.
 */
export function readChecks(fields: Fields, place: Place, note: Note): readonly Check[] {
  const items = fields.list("checks", LIMITS.checksPerPhase) ?? [];
  return items.flatMap((item, index) => readCheck(item, [...place, "checks", index], note) ?? []);
}

export function readTodos(fields: Fields, place: Place, note: Note): readonly PhaseTodo[] {
  const items = fields.list("todos", LIMITS.todosPerPhase) ?? [];
  const todos = items.map((item, index) => readTodo(item, [...place, "todos", index], note));
  const texts = new Set<string>();
  for (const [index, todo] of todos.entries()) {
    if (todo && texts.has(todo.text))
      note("error", [...place, "todos", index], "expected another text: it stands on the list twice");
    if (todo) texts.add(todo.text);
  }
  return todos.flatMap((todo) => todo ?? []);
}

function readCheck(item: unknown, place: Place, note: Note): Check | undefined {
  if (typeof item === "string" || Array.isArray(item)) return commandOf(item, place, note);
  if (!isMapping(item)) {
    note("error", place, `expected a command, got ${described(item)}`);
    return undefined;
  }
  const fields = new Fields(item, place, note);
  const command = commandOf(fields.raw("run"), [...place, "run"], note);
  const cwd = fields.text("cwd", 1000);
  const timeoutMs = readTimeout(fields);
  if (cwd !== undefined && !staysInside(cwd)) fields.wrong("cwd", "expected a path inside the project");
  fields.warnOfOthers();
  return (
    command && {
      ...command,
      ...(cwd !== undefined && { cwd }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    }
  );
}

function commandOf(run: unknown, place: Place, note: Note): Check | undefined {
  if (!isCommand(run)) {
    note("error", place, `expected a shell line or a list of arguments, got ${described(run)}`);
    return undefined;
  }
  if (isTrivialCheck({ run })) note("error", place, "expected a check that can fail; this one always passes");
  return { run: typeof run === "string" ? run.trim() : run, by: "plan" };
}

function isCommand(run: unknown): run is string | readonly string[] {
  if (typeof run === "string") return run.trim() !== "";
  return Array.isArray(run) && run.every((part) => typeof part === "string") && (run[0] ?? "").trim() !== "";
}

function readTimeout(fields: Fields): number | undefined {
  const value = fields.raw("timeout") ?? undefined;
  if (value === undefined) return undefined;
  const ms = typeof value === "string" ? parseDuration(value) : undefined;
  if (ms !== undefined && ms > 0 && ms <= LIMITS.checkTimeoutMs) return ms;
  return fields.wrong("timeout", `expected a time with its unit (30s, 10m, 2h; at most 24h), got ${described(value)}`);
}

function readTodo(item: unknown, place: Place, note: Note): PhaseTodo | undefined {
  if (!isMapping(item)) return readTodo({ text: item }, place, note);
  const fields = new Fields(item, place, note);
  const text = fields.neededText("text", LIMITS.todoCharacters).trim();
  const todo: PhaseTodo = {
    text,
    priority: fields.choice("priority", PRIORITIES) ?? "medium",
    askFirst: fields.flag("askFirst") ?? false,
    checks: readChecks(fields, place, note),
  };
  fields.warnOfOthers();
  return text === "" ? undefined : todo;
}

const staysInside = (path: string): boolean => !/^([/\\]|[a-z]:)/i.test(path) && !path.split(/[/\\]/).includes("..");
