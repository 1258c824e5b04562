import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Run } from "../../core/run/index.ts";
import { hasOpenWork } from "../../core/words/index.ts";
import type { SessionRun } from "./session-run.ts";

/** How much of the model's context may be used. Shares are of the whole, as the provider counted it. */
export interface ContextShares {
  /** No request is sent above this; pi has had its chance to compact by then. */
  readonly stopAbove: number;
  /** The session is compacted above this at the next boundary. Absent: pi's own settings see to it. */
  readonly compactAbove?: number;
  /** Whether the user lets pi compact by itself. */
  readonly mayCompact?: () => boolean;
}

export interface RoomParts {
  readonly ctx: Pick<ExtensionContext, "getContextUsage" | "compact">;
  readonly own: SessionRun;
  readonly shares: ContextShares | undefined;
  /** Continuation is on: otherwise pi is left to itself. */
  readonly enabled: boolean;
}

/**
 * Room in the model's context for the work that is open. `wanted`: as soon as pi has settled; `in_vain`: it did not work, and is not
 * tried again before pi compacted after all.
 */
type Compaction = "unneeded" | "wanted" | "running" | "in_vain";

export function createRoom({ ctx, own, shares, enabled }: RoomParts) {
  let compaction: Compaction = "unneeded";

  return { isFull, isShort, canMake, want, settled, made, failed };

  /** Still full after pi had its chance to compact. */
  function isFull(): boolean {
    return isUsedAbove(shares?.stopAbove);
  }

  /** So little is left at a boundary that the session is to be compacted before the work continues. */
  function isShort(): boolean {
    return canMake() && isUsedAbove(shares?.compactAbove);
  }

  function canMake(): boolean {
    return compaction === "unneeded" && shares?.compactAbove !== undefined && (shares.mayCompact?.() ?? true);
  }

  async function want(): Promise<void> {
    compaction = "wanted";
    await own.tell({ type: "compaction.began" });
  }

  /** pi is idle. What was to continue waits for the compaction; if something else was decided, nothing is compacted. */
  async function settled(): Promise<void> {
    if (compaction !== "wanted") return;
    const { decision } = own.run()?.ledger ?? {};
    if (decision?.type === "wait" && decision.reason === "compacting") {
      compaction = "running";
      ctx.compact({ onError: () => void failed("error") });
      return;
    }
    compaction = "unneeded";
    await own.tell({ type: "compaction.ended" });
  }

  async function made(): Promise<void> {
    compaction = "unneeded";
    await own.tell({ type: "compaction.ended" });
  }

  /** If you stop a compaction that would continue the work, you want it to stop. */
  async function failed(how: "aborted" | "error"): Promise<void> {
    if (compaction === "running" && how === "aborted") await own.tell({ type: "human.interrupt", how: "abort" });
    if (compaction === "running") compaction = "in_vain";
    await own.tell({ type: "compaction.ended" });
  }

  function isUsedAbove(share: number | undefined): boolean {
    const run: Run | undefined = own.run();
    if (share === undefined || !enabled || !run || !hasOpenWork(run)) return false; // pi counts the whole session each time
    return (ctx.getContextUsage()?.percent ?? 0) > share * 100;
  }
}

export type Room = ReturnType<typeof createRoom>;
