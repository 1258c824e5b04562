import type { ConfigProblem } from "./problem.ts";

/** From weakest to strongest. */
export type LayerName = "default" | "user" | "project" | "environment" | "flag";

/** What one place says: values by the path they stand at, read and of the right kind. */
export interface Layer {
  readonly name: LayerName;
  /** A file; for variables and flags each entry is its own source. */
  readonly source: string;
  readonly entries: ReadonlyMap<string, unknown>;
  readonly sources?: ReadonlyMap<string, string>;
}

export interface LayerReading {
  readonly layer: Layer;
  readonly problems: readonly ConfigProblem[];
}
