import type { Snapshot } from "../checks/index.ts";
import type { Checkpoint } from "../core/run/index.ts";
import { hashOf } from "../machine/index.ts";
import type { Parts } from "./ports.ts";
import { type StagedState, stagedFromJson } from "./user-index.ts";

export interface OpenCheckpoint {
  readonly id: string;
  readonly at: number;
  readonly files: Snapshot;
  /** Undefined: the project was no repository. */
  readonly staged?: StagedState | undefined;
  /** Names the lists of ignored files outside the project. */
  readonly excludes: string;
}

/** Undefined: it is no longer kept, or not what the log names. */
export async function openCheckpoint(
  parts: Parts,
  cwd: string,
  { id, tree, facts }: Pick<Checkpoint, "id" | "tree" | "facts">,
): Promise<OpenCheckpoint | undefined> {
  const files = await parts.snapshots.open(cwd, tree);
  const noted = files && (await parts.snapshots.read(cwd, { mode: "100644", oid: facts }));
  if (!noted) return undefined;
  const { at, excludes, ...staged } = JSON.parse(noted.toString("latin1")) as { at: number; excludes: string };
  return { id, at, files, excludes, staged: stagedFromJson(staged) };
}

/** The name git gives to this content. */
export const blobName = (content: Buffer): string =>
  hashOf("sha1", Buffer.from(`blob ${content.length}\0`), content).toString("hex");

export const treeOf = (name: string): string => name.split(":")[1] ?? "";
