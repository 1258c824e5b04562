export interface Whereabouts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
}
export type Scope = "user" | "project";

/** The files of a host that tildone stands in. */
export interface Places {
  /** Hooks, and where the host wants it so, permissions. */
  readonly hooks: string;
  readonly servers: string;
  /** Where the host keeps which hooks you reviewed. */
  readonly reviews?: string;
  /** A file of our own in which the host reads what it may do without asking. */
  readonly policy?: string;
}
