/** From weakest to strongest. */
export const LAYERS = ["default", "user", "project", "environment", "flag"] as const;
export type LayerName = (typeof LAYERS)[number];

/** What one place says: values by the path they stand at, read and of the right kind. */
export interface Layer {
  readonly name: LayerName;
  /** A file; for variables and flags each entry is its own source. */
  readonly source: string;
  readonly entries: ReadonlyMap<string, unknown>;
  readonly sources?: ReadonlyMap<string, string>;
}
