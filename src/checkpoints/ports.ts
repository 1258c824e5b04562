import type { Git, PrivateStore, Snapshots } from "../checks/index.ts";
import type { ReadStaged } from "./user-index.ts";

/** What every part of this room works with. */
export interface Parts {
  readonly git: Git;
  readonly snapshots: Snapshots;
  readonly readStaged: ReadStaged;
  /** The store in which the files of a project are kept; undefined: there is no git here. */
  readonly store: (cwd: string) => Promise<PrivateStore | undefined>;
  /** Where stores are kept. */
  readonly directory: string;
  readonly home: string;
  readonly now: () => number;
}
