import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { MODE_SAYS, yoloText } from "../../../core/call/index.ts";
import type { QueuedWords } from "../../../core/run/index.ts";
import { clipLine } from "../../../core/text/index.ts";
import { MODES, type Mode } from "../../../scheduler/index.ts";
import type { OpenSession } from "../open-session.ts";

export type Dialog = (open: OpenSession, ctx: ExtensionCommandContext, props: unknown) => Promise<void>;

/** Windows that a command can open, by name. */
export const DIALOGS: Readonly<Record<string, Dialog>> = { approvals, "approval-mode": approvalMode, queue };

/** What waits for an answer and was left with Esc. */
async function approvals({ approvals }: OpenSession, { ui }: ExtensionCommandContext): Promise<void> {
  if (approvals.askAgain() === 0) ui.notify("No call waits for your answer.", "info");
}

async function approvalMode(
  { scheduler, prompts, tildone }: OpenSession,
  { ui }: ExtensionCommandContext,
): Promise<void> {
  const now = scheduler.snapshot().mode;
  const lines = new Map<string, Mode>(
    MODES.map((mode) => [`${mode === now ? "●" : " "} ${mode} - ${MODE_SAYS[mode]}`, mode] as const),
  );
  const choose = () => ui.select("What may run without asking, until you leave?", [...lines.keys()]);
  const chosen = lines.get((await prompts.ask(choose)) ?? "");
  if (chosen === undefined || chosen === now) return;
  if (
    chosen === "yolo" &&
    !(await prompts.ask(() => ui.confirm("Sure?", yoloText(tildone.config.approval.protectInYolo))))
  )
    return;
  scheduler.setMode(chosen);
  ui.notify(`Approval is ${chosen}: ${MODE_SAYS[chosen]}.`, "info");
}

const WHEN = { steer: "when it stops", "follow-up": "at the end" } as const satisfies Record<
  QueuedWords["kind"],
  string
>;

const QUEUED = { edit: "Edit it again", remove: "Remove it", leave: "Leave it" } as const;

/** Words in the run's queue, one by one: taken back to be said differently, or removed. */
async function queue({ queue, prompts }: OpenSession, { ui }: ExtensionCommandContext): Promise<void> {
  const words = queue.list();
  if (words.length === 0) return ui.notify(NOTHING_QUEUED, "info");
  const lines = new Map(words.map((each, at) => [`${at + 1}. ${clipLine(each.text, 66)} (${WHEN[each.kind]})`, each]));
  const choose = () => ui.select("Messages that wait for the agent", [...lines.keys()]);
  const chosen = lines.get((await prompts.ask(choose)) ?? "");
  if (!chosen) return;
  const choice = await prompts.ask(() => ui.select(clipLine(chosen.text, 200), Object.values(QUEUED)));
  if (choice !== QUEUED.edit && choice !== QUEUED.remove) return;
  const removed = await queue.remove(chosen.id);
  if (!removed.ok) return ui.notify(removed.message, "warning");
  if (choice === QUEUED.edit) ui.setEditorText([chosen.text, ui.getEditorText()].filter(Boolean).join("\n\n"));
}

const NOTHING_QUEUED =
  "Nothing is queued. While the agent works, Enter queues your message until it stops, Alt+Enter or /queue <message> until the run would end, Alt+Up takes it back; /now <message> delivers it at its next step.";
