import { IGNORED, type Reply, type Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import { resumeCommand } from "../core/view/index.ts";
import { type Store, speak } from "../engine/index.ts";

/** Who says something to which run, and when. */
export interface Telling {
  readonly store: Pick<Store, "log">;
  readonly run: string;
  readonly now: number;
  readonly from?: Spoken | undefined;
}

/** What became of your words: recorded, nothing to change, or refused with a sentence that says what to do. */
export type Told =
  | { readonly status: "done"; readonly reply: Reply; readonly run: Run }
  /** `later`: the run has not begun, and hears it when it begins. */
  | { readonly status: "unchanged"; readonly text: string; readonly later?: true }
  | { readonly status: "refused"; readonly code: string; readonly text: string };

/** Records your words for a run; the process that drives it acts on them. Every command and every page says it this way. */
export function tellRun({ store, run: id, now, from }: Telling, trigger: Trigger): Told {
  const { reply, run } = speak(store.log, id, trigger, now, from);
  if (reply.type === "refused") return { status: "refused", code: reply.refusal.code, text: reply.refusal.message };
  if (reply.type !== "ignored") return { status: "done", reply, run };
  if (reply.why === "run_ended") return { status: "refused", code: reply.why, text: overText(run, trigger) };
  if (reply.why !== "nothing_to_do" && reply.why !== "duplicate")
    return { status: "refused", code: reply.why, text: `${IGNORED[reply.why]} (run ${id})` };
  return { status: "unchanged", text: `Nothing to change in ${id}.` };
}

/** What was to be done has no run any more: how to begin again there. */
function overText(run: Run, { type }: Trigger): string {
  const over = `Run ${run.id} is over`;
  if (type === "human.answer") return `${over}: nothing in it waits for an answer.`;
  if (run.ledger.launch === undefined) return `${over}. The next list of its session begins a new one.`;
  return `${over}. Continue it with: ${resumeCommand(run, "all_done")}`;
}
