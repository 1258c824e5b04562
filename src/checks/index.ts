export { type ChecksPorts, createChecks, type Repeats } from "./create-checks.ts";
export {
  bytesOf,
  composeTree,
  createSnapshots,
  EMPTY_TREE,
  type Entries,
  type Entry,
  type FindProject,
  GITLINK,
  isSame,
  type NotPacked,
  openPrivateStore,
  type PrivateStore,
  type Snapshot,
  type Snapshots,
  writeObject,
} from "./snapshot/index.ts";
export { unstartable } from "./unstartable.ts";
export { type ProofFiles, proofFiles } from "./verify/proof-files.ts";
export type { Repeated } from "./verify/repeat-check.ts";
export { createGit, type Git } from "./workspace/git.ts";
export { findRepository, type Repository } from "./workspace/git-repository.ts";
export { createWorkspace, type WorkspacePorts } from "./workspace/index.ts";
