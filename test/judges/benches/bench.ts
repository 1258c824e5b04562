/** What a model can weaken instead of doing its work. */
export type What =
  | "test"
  | "script"
  | "runner config"
  | "lock file"
  | "Makefile variable"
  | "environment"
  | "PATH"
  | "home file"
  | "git object"
  | "git config"
  | "dependency"
  | "daemon"
  | "clock"
  | "network"
  | "cache"
  | "work"
  | "room"
  | "process of the tests";

/** A project whose work is not done, how it is judged, and ways to make its check pass all the same. */
export interface Bench {
  readonly name: string;
  readonly check: string;
  readonly project: Readonly<Record<string, string>>;
  readonly setUp?: string;
  readonly isSlow?: true;
  readonly isBare?: true;
  /** Files that, with this content, let the check pass; every way to change a file is tried on them. */
  readonly files: readonly { readonly what: What; readonly weak: Readonly<Record<string, string>> }[];
  /** What else a shell does, by name. */
  readonly ways: Readonly<Record<string, readonly [what: What, command: string]>>;
}
