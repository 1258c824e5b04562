import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Tildone } from "../../compose/index.ts";
import type { Envelope, Run } from "../../core/run/index.ts";
import type { Notices } from "./notices.ts";
import type { SessionRun } from "./session-run.ts";
import { heldMessages, mirroredUpTo, PLAN_ENTRY, planEntries, planOnBranch, unansweredCalls } from "./session-state.ts";

export interface BranchParts {
  readonly pi: ExtensionAPI;
  readonly sessionManager: ExtensionContext["sessionManager"];
  readonly tildone: Tildone;
  readonly own: SessionRun;
  readonly notices: Notices;
  /** The one before died elsewhere: the run continues without a question to you. */
  readonly takesOver: boolean;
}

/** The log of the run and the branch of the session, kept in step: the ledger is the log's, the plan is the branch's. */
export function createBranch({ pi, sessionManager, tildone: { engine, store }, own, notices, takesOver }: BranchParts) {
  return { takeOver, rebase, mirror };

  function mirror({ id }: Run, events: readonly Envelope[]): void {
    for (const entry of planEntries(id, events)) pi.appendEntry(PLAN_ENTRY, entry);
  }

  /** This process drives the session's run from now on. What the log has and the session lacks is copied first. */
  function takeOver(): void {
    const before = own.run();
    if (!before) return;
    mirror(before, store.log.read(before.id, mirroredUpTo(sessionManager, before.id)).events);
    const delivered = heldMessages(sessionManager, before.id);
    const { nudge } = before.ledger;
    if (nudge && !delivered.includes(nudge.id))
      notices.show({ type: "text", text: "A continuation was cut off before it went out." });
    engine.open(sessionManager.getSessionId(), {
      goOn: takesOver,
      delivered,
      unanswered: unansweredCalls(sessionManager),
    });
  }

  /** The list as the current branch has it. The ledger stays: going back in the tree undoes no hold. */
  async function rebase(): Promise<void> {
    const { plan, run: parent, damaged } = planOnBranch(sessionManager);
    const before = own.run();
    for (const problem of damaged) notices.show({ type: "text", text: `The list may be incomplete: ${problem}.` });
    if (damaged.length > 0 && before) return; // the log knows better than half a branch
    const isForeign = parent !== undefined && parent !== before?.id;
    await own.tell({ type: "plan.rebase", plan, ...(isForeign && { parent }) });
  }
}
