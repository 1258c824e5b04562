export { composeTree } from "./compose-tree.ts";
export { createSnapshots, type Snapshot, type SnapshotPorts, type Snapshots, type Taken } from "./create-snapshots.ts";
export { asBytes, asText, bytesOf, differingIn, type Entries, type Entry, GITLINK, isSame } from "./entries.ts";
export { readIndex } from "./git-index.ts";
export type { LargeFolder } from "./ignored.ts";
export { EMPTY_TREE, writeObject } from "./loose-object.ts";
export { type FindProject, openPrivateStore, type PrivateStore } from "./private-store.ts";
export { type NotPacked, packTrees, unpackTrees } from "./travel.ts";
