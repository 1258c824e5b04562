import type { Check } from "../core/todo/index.ts";
import type { Layer } from "./layer.ts";

/** A command that a file would run or let run. */
export interface ProjectCommand {
  readonly setting: string;
  readonly command: string;
}

/** Every command in a layer: who trusts a project's file trusts these. No project can set `notify`. */
export function commandsOf({ entries }: Layer): readonly ProjectCommand[] {
  const list = <T>(key: string): readonly T[] => (entries.get(key) as readonly T[] | undefined) ?? [];
  const prepare = entries.get("checks.prepare") as Check | undefined;
  const allowed = list<{ readonly decision: string; readonly command?: unknown; readonly name: string }>(
    "approval.rules",
  ).filter(({ decision }) => decision === "allow");
  return [
    ...list<Check>("checks.run").map(({ run }) => ({ setting: "checks.run", command: lineOf(run) })),
    ...list<string>("checks.allow").map((command) => ({ setting: "checks.allow", command })),
    ...(prepare ? [{ setting: "checks.prepare", command: lineOf(prepare.run) }] : []),
    ...allowed.map(({ command, name }) => ({
      setting: "approval.rules",
      command: command === undefined ? `what the rule "${name}" allows` : lineOf(command as Check["run"]),
    })),
  ];
}

export const lineOf = (run: string | readonly string[]): string => (typeof run === "string" ? run : run.join(" "));
