import { nearest } from "../core/text/index.ts";
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
  /** Where it stands in its file, counted from 1. */
  readonly line?: number;
}

/** Something that was not applied, and why. */
export interface ConfigWarning {
  readonly code: "needs_trust" | "never" | "users_alone" | "unknown_variable" | "kept_in_part" | "dropped" | "foreign";
  readonly source: string;
  readonly key: string;
  readonly says: string;
  readonly line?: number;
}

/** A file of the project's that is not applied at all: the user has to know. */
export const isDropped = ({ code }: ConfigWarning): boolean => code === "dropped" || code === "foreign";

type Said = Pick<ConfigProblem, "source" | "path" | "says" | "line">;

/** One sentence for a human. */
export function sayProblem({ source, path, says, line }: Said): string {
  return `${source}:${line === undefined ? "" : `${line}:`} ${path === "" ? "" : `${path} `}${says}`;
}

export const sayWarning = ({ key, ...warning }: ConfigWarning): string => sayProblem({ ...warning, path: key });

const SAID_MISTAKES = 3;

/** The whole file counts for nothing: half of what was meant may allow more than all of it. */
export function dropped(mistakes: readonly ConfigProblem[]): ConfigWarning {
  const [{ source, line }, ...more] = mistakes as [ConfigProblem, ...ConfigProblem[]];
  const said = mistakes
    .slice(0, SAID_MISTAKES)
    .map(({ path, says, line: at }, index) =>
      [index === 0 || at === undefined ? "" : `line ${at}:`, path, says].filter((part) => part !== "").join(" "),
    );
  const others = more.length >= SAID_MISTAKES ? ` And ${mistakes.length - SAID_MISTAKES} more.` : "";
  const says = `${said.join(" ")}${others} None of this project's settings are applied until you fix or remove the file.`;
  return { code: "dropped", source, key: "", says, line };
}

export function foreign(folder: string): ConfigWarning {
  const says = "belongs to another user, so nothing in it is read. Make it yours with `chown`, or remove it.";
  return { code: "foreign", source: folder, key: "", says };
}

/** `names` may stand where this one stood. */
export function unknownKey(source: string, path: string, names: readonly string[]): ConfigProblem {
  const above = path.slice(0, path.lastIndexOf(".") + 1);
  const [meant] = nearest(path.slice(above.length), names);
  const says = `is not a setting${meant === undefined ? "; remove it." : `; did you mean ${above}${meant}?`}`;
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
