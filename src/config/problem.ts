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
  readonly code: "needs_trust" | "never" | "unknown_variable";
  readonly source: string;
  readonly key: string;
  readonly says: string;
}

/** One sentence for a human. */
export function sayProblem({ source, path, says }: Pick<ConfigProblem, "source" | "path" | "says">): string {
  return `${source}: ${path === "" ? "" : `${path} `}${says}`;
}

export function wrongValue(source: string, path: string, expected: string, value: unknown): ConfigProblem {
  const came = value === undefined ? "" : `; it is ${shortly(value)}`;
  return { code: "wrong_value", source, path, says: `must be ${expected}${came}.` };
}

/** What came, short enough for one line and never more than a glance of a hostile file. */
function shortly(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const line = JSON.stringify(value) ?? String(value);
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
