/** Other names of settings, each with the one it stands for. Two names with two values in one place are refused. */
export interface Alias {
  readonly key: string;
  /** What turns the old value into one that the setting reads. */
  readonly unit?: "ms" | "s";
}

/** Names in a file. `*` stands for `continuation`, a host or an agent. */
export const KEY_ALIASES: ReadonlyMap<string, Alias> = new Map<string, Alias>([
  ["todoDrivenExecution", { key: "enabled" }],
  ["maxTodoContinuations", { key: "maxContinuations" }],
  ["todoCheckIntervalMs", { key: "minimumGap", unit: "ms" }],
  ["countdownSeconds", { key: "countdown", unit: "s" }],
]);

export const ENV_ALIASES: ReadonlyMap<string, string> = new Map([
  ["TILDONE_MAX_TODO_CONTINUATIONS", "TILDONE_MAX_CONTINUATIONS"],
]);

export const FLAG_ALIASES: ReadonlyMap<string, string> = new Map([
  ["max-todo-continuations", "max-continuations"],
  ["til-done-max", "max-continuations"],
]);

export const asWritten = (value: unknown, { unit }: Alias): unknown =>
  unit !== undefined && typeof value === "number" ? `${value}${unit}` : value;
