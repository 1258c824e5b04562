import type { Kind } from "./kind.ts";

/** What a project file may do with a setting before you trust it. */
export const PROJECT_MAY = {
  set: "set it",
  lower: "lower it",
  raise: "raise it",
  turn_off: "turn it off",
  tighten: "tighten it",
  add: "add to it",
  nothing: "do nothing with it",
  never: "never set it, also if you trust it",
} as const satisfies Record<string, string>;
export type ProjectMay = keyof typeof PROJECT_MAY;

/** One row of the table: all that files, variables, flags, docs and the schema know about a setting. */
export interface Setting<T> {
  readonly kind: Kind<NonNullable<T>>;
  /** Undefined: nothing is set, and nothing limited. */
  readonly default: T;
  readonly project: ProjectMay;
  readonly says: string;
  /** What a number counts. */
  readonly unit?: string;
  /** What holds where nothing is set; "not set" without it. */
  readonly absent?: string;
  readonly env?: string;
  readonly flag?: string;
  /** May also stand under `hosts.<host>` and `agents.<agent>`, where it holds for that one alone. */
  readonly scoped?: true;
}

type Row = Omit<Setting<unknown>, "kind" | "default">;

export function setting<T>(row: Row & { readonly kind: Kind<T>; readonly default: NoInfer<T> }): Setting<T> {
  return row as Setting<T>;
}

export function unset<T>(row: Row & { readonly kind: Kind<T> }): Setting<T | undefined> {
  return { ...row, default: undefined } as Setting<T | undefined>;
}
