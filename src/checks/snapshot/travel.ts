import type { Git } from "../workspace/git.ts";
import { openPrivateStore } from "./private-store.ts";

export interface Whereabouts {
  readonly git: Git;
  readonly cwd: string;
  /** Where stores are kept. */
  readonly directory: string;
}

/** Why trees cannot travel: part of them is gone, or together they are more than one file may hold. */
export type NotPacked = "not_kept" | "too_large";

/** All that trees consist of, as one pack. */
export async function packTrees(at: Whereabouts, trees: readonly string[]): Promise<Buffer | NotPacked> {
  const store = await openPrivateStore(at.git, at.cwd, at.directory);
  const listed = await store?.git(["rev-list", "--objects", "--no-object-names", "--stdin"], {
    input: trees.map((tree) => `${tree}\n`).join(""),
  });
  if (!store || listed?.status !== "ok") return "not_kept";
  const packed = await store.git(["pack-objects", "--stdout", "-q"], { input: listed.output });
  if (packed.status === "ok") return packed.output;
  return packed.status === "too_long" ? "too_large" : "not_kept";
}

/** git names every object anew by its content: whatever the file calls it, it is what it is. False: it is no whole pack. */
export async function unpackTrees(at: Whereabouts, pack: Buffer): Promise<boolean> {
  const store = await openPrivateStore(at.git, at.cwd, at.directory);
  const answer = await store?.git(["index-pack", "--stdin"], { input: pack });
  return answer?.status === "ok";
}
