export { createSnapshots, type Snapshot, type SnapshotPorts, type Snapshots, type Taken } from "./create-snapshots.ts";
export { asText, type Entries, type Entry, isSame } from "./entries.ts";
export type { LargeFolder } from "./ignored.ts";
export { type NotPacked, packTrees, unpackTrees } from "./travel.ts";
