import type { Io } from "./io.ts";

/** One command of `tildone`: a value, in a file of its own. */
export interface Command {
  readonly name: string;
  /** What follows `tildone <name>`, for example `[run]`. */
  readonly takes: string;
  readonly summary: string;
  /** What people type, and what it does: the first thing that `--help` shows. */
  readonly examples?: readonly (readonly [typed: string, says: string])[];
  /** What a shell offers for each word; nothing where it is left out. */
  readonly completes?: readonly Completes[];
  /** More for `--help`, after the options. */
  readonly details?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** At most so many words besides the options. */
  readonly words: number;
  /** Takes its words as they are, options and all, for another program to read. */
  readonly passesOn?: true;
  /** Resolves with the exit code. */
  readonly run: (given: Given, io: Io) => Promise<number>;
}

export interface Option {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  readonly short?: string;
  /** Name of the value in the help text. */
  readonly value?: string;
  readonly says: string;
  /** What a shell offers as its value. */
  readonly completes?: Completes;
}

/** What can be typed in a place: these words, or something that is looked up. */
export type Completes =
  | readonly string[]
  | "run"
  | "todo"
  | "host"
  | "hook-host"
  | "workflow"
  | "setting"
  | "file"
  | "text";

export interface Given {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** You asked for something that is not there: exit 2, one sentence that says what to do. */
export class UsageError extends Error {}

/** It was understood and could not be done: exit 1, or the code given. */
export class Failure extends Error {
  readonly exit: number;
  constructor(message: string, exit = 1) {
    super(message);
    this.exit = exit;
  }
}

export const JSON_OPTION = { json: { type: "boolean", says: "Print JSON instead of text." } } as const;
export const RUN_OPTION = {
  run: {
    type: "string",
    value: "run",
    completes: "run",
    says: "The run; without it the one of this folder that works or waits, else the newest.",
  },
} as const;

export function text(given: Given, name: string): string | undefined {
  const value = given.options[name];
  return typeof value === "string" ? value : undefined;
}

export const has = (given: Given, name: string): boolean => given.options[name] === true;

/** A number from an option, or a usage error that names it. */
export function number(given: Given, name: string): number | undefined {
  const value = text(given, name);
  if (value === undefined) return undefined;
  const parsed = Number(value.replaceAll("_", ""));
  if (!/^\s*[\d.][\d_.]*(?:e\d+)?\s*$/i.test(value) || !Number.isFinite(parsed))
    throw new UsageError(`--${name} needs a number that is not negative, not "${value}".`);
  return parsed;
}
