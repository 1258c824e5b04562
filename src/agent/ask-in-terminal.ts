import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Approval } from "../core/call/index.ts";
import type { Scheduler } from "../scheduler/index.ts";

const CHOICES = {
  once: "Yes, this once",
  always: "Yes, and exactly this from now on",
  tool: "Yes, and whatever this tool does from now on",
  edit: "Change what it would do first",
  words: "No, and say what to do instead",
  stop: "No, and stop everything",
} as const;

/**
 * Asks the human about each waiting call, one dialog at a time. An answer from another terminal closes the dialog; Esc
 * leaves the question open, and it can still be answered with `tildone approve`.
 */
export function askInTerminal(scheduler: Scheduler, ui: ExtensionContext["ui"]): () => void {
  const waiting = new Map<
    string,
    { readonly approval: Approval; readonly args: unknown; readonly gone: AbortController }
  >();
  let asking = false;
  return scheduler.observe((update) => {
    if (update.type !== "call.entered") return;
    const { call } = update;
    const { id, args } = call.request;
    if (call.status === "awaiting_approval") {
      waiting.set(id, { approval: call.approval, args, gone: new AbortController() });
      void askNext();
      return;
    }
    waiting.get(id)?.gone.abort();
    waiting.delete(id);
  });

  async function askNext(): Promise<void> {
    const next = [...waiting].find(([, { gone }]) => !gone.signal.aborted);
    if (asking || !next) return;
    asking = true;
    const [id, { approval, args, gone }] = next;
    try {
      await ask(id, approval, args, gone.signal);
    } finally {
      asking = false;
      waiting.delete(id);
    }
    await askNext();
  }

  async function ask(id: string, { what, because }: Approval, args: unknown, signal: AbortSignal): Promise<void> {
    const choice = await ui.select(`Allow? ${what}  (${because})`, Object.values(CHOICES), { signal });
    switch (choice) {
      case CHOICES.once:
        return tell(scheduler.approve(id, { type: "once" }));
      case CHOICES.always:
        return tell(scheduler.approve(id, { type: "always_rule" }));
      case CHOICES.tool:
        return tell(scheduler.approve(id, { type: "always_tool" }));
      case CHOICES.edit:
        return edit(id, args, signal);
      case CHOICES.words: {
        const words = await ui.input("What should it do instead?", "words for the agent", { signal });
        if (words !== undefined && words.trim() !== "") return tell(scheduler.deny(id, { words: words.trim() }));
        return tell(scheduler.deny(id));
      }
      case CHOICES.stop:
        return tell(scheduler.deny(id, { rest: "stops" }));
      default:
        if (!signal.aborted) ui.notify(`Still waiting: tildone approve ${id}, or tildone deny ${id}`, "warning");
    }
  }

  async function edit(id: string, args: unknown, signal: AbortSignal): Promise<void> {
    const text = await ui.editor("The arguments, as JSON", JSON.stringify(args, null, 2));
    if (text === undefined || signal.aborted) return tell(scheduler.deny(id));
    let edited: unknown;
    try {
      edited = JSON.parse(text);
    } catch (error) {
      ui.notify(`This is not JSON: ${error instanceof Error ? error.message : String(error)}`, "error");
      return edit(id, args, signal);
    }
    const answered = scheduler.approve(id, { type: "edited", args: edited });
    if (!answered.ok) {
      ui.notify(answered.message, "error");
      return edit(id, edited, signal);
    }
  }

  function tell(answered: ReturnType<Scheduler["approve"]>): void {
    if (!answered.ok) ui.notify(answered.message, "warning");
  }
}
