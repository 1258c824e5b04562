import { nearest } from "../core/words/index.ts";
import type { Mistake } from "./kind.ts";

/** A mistake in the configuration: where it stands, what was expected there and what came. */
export interface ConfigProblem {
  readonly code: "unknown_key" | "wrong_value" | "conflict" | "unreadable";
  /** A file, the name of a variable, or a flag. */
  readonly source: string;
  /** The path of the mistake in a file, such as `continuation.maxContinuations`; empty for the file itself. */
  readonly path: string;
  /** Completes "<path> ...": what is wrong and what to do. */
  readonly says: string;
}

/** Something that was not applied, and why. */
export interface ConfigWarning {
  readonly code: "needs_trust" | "never" | "unknown_variable" | "kept_in_part";
  readonly source: string;
  readonly key: string;
  readonly says: string;
}

/** One sentence for a human. */
export function sayProblem({ source, path, says }: Pick<ConfigProblem, "source" | "path" | "says">): string {
  return `${source}: ${path === "" ? "" : `${path} `}${says}`;
}

/** `names` may stand where this one stood. */
export function unknownKey(source: string, path: string, names: readonly string[]): ConfigProblem {
  const above = path.slice(0, path.lastIndexOf(".") + 1);
  const [meant] = nearest(path.slice(above.length), names);
  const says = `is not a setting${meant === undefined ? "." : `; did you mean ${above}${meant}?`}`;
  return { code: "unknown_key", source, path: shortPath(path), says };
}

export function problemOf(
  source: string,
  path: string,
  { expected, value, names }: Omit<Mistake, "path">,
): ConfigProblem {
  return names === undefined ? wrongValue(source, path, expected, value) : unknownKey(source, path, names);
}

/** One setting under two names, with two values. */
export function twoValues(source: string, path: string, other: string): ConfigProblem {
  return { code: "conflict", source, path, says: `and ${other} are one setting with two values; keep one of them.` };
}

export function wrongValue(source: string, path: string, expected: string, value: unknown): ConfigProblem {
  const came = value === undefined ? "" : `; it is ${shortly(value)}`;
  return { code: "wrong_value", source, path: shortPath(path), says: `must be ${expected}${came}.` };
}

/** What came, short enough for one line and never more than a glance of a hostile file. */
function shortly(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const line = JSON.stringify(value) ?? String(value);
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

const shortPath = (path: string): string => (path.length > 200 ? `${path.slice(0, 197)}...` : path);
