import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Approval, isDestructive } from "../../core/call/index.ts";
import { exactRows, oneLine, visible } from "../../core/text/index.ts";
import type { Answered, Scheduler } from "../../scheduler/index.ts";
import { askChoice, type Choice } from "./approval-choice.ts";
import type { Prompts } from "./prompts.ts";

const CHOICES = {
  once: { key: "y", text: "Allow once" },
  always: { key: "a", text: "Always allow exactly this" },
  tool: { key: "t", text: "Always allow this tool" },
  edit: { key: "e", text: "Edit before running" },
  words: { key: "n", text: "Deny, and say what to do instead" },
  stop: { key: "s", text: "Deny, and stop everything" },
} as const satisfies Record<string, Choice>;

export interface ApprovalDialog {
  /** Asks again about what was left open; how many questions that is. */
  askAgain(): number;
  dispose(): void;
}

interface Waiting {
  readonly approval: Approval;
  readonly args: unknown;
  /** Aborted when no answer is needed any more. */
  readonly gone: AbortController;
  /** `in_quiet`: it comes unexpectedly. `at_once`: you come back to it. `left`: you left it without an answer. */
  next: "in_quiet" | "at_once" | "left";
}

/**
 * Asks you about each waiting call, one dialog at a time. An answer from another terminal closes the dialog. Esc
 * leaves the question open: the agent waits, and you can look around, ask for the dialog again or stop everything.
 */
export function createApprovalDialog(
  scheduler: Scheduler,
  ui: Pick<ExtensionContext["ui"], "custom" | "input" | "editor" | "notify">,
  prompts: Pick<Prompts, "ask" | "askInQuiet" | "hasDraft">,
): ApprovalDialog {
  const waiting = new Map<string, Waiting>();
  let isAsking = false;
  const forget = scheduler.observe((update) => {
    if (update.type !== "call.entered") return;
    const { call } = update;
    const { id, args } = call.request;
    waiting.get(id)?.gone.abort();
    waiting.delete(id);
    if (call.status !== "awaiting_approval") return;
    waiting.set(id, { approval: call.approval, args, gone: new AbortController(), next: "in_quiet" });
    void askAll();
  });

  return {
    askAgain() {
      for (const each of waiting.values()) each.next = "at_once";
      void askAll();
      return waiting.size;
    },
    dispose() {
      forget();
      for (const { gone } of waiting.values()) gone.abort();
      waiting.clear();
    },
  };

  async function askAll(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      for (let next = first(); next !== undefined; next = first()) await ask(...next);
    } finally {
      isAsking = false;
    }
  }

  function first(): [id: string, question: Waiting] | undefined {
    return [...waiting].find(([, { next, gone }]) => next !== "left" && !gone.signal.aborted);
  }

  async function ask(id: string, question: Waiting): Promise<void> {
    const { approval, gone } = question;
    const choices = Object.values(CHOICES).filter((each) => each !== CHOICES.always || approval.always !== undefined);
    const show = () =>
      askChoice(ui, {
        title: `Allow ${approval.tool}?`,
        rows: exactRows(approval.what, Math.min(process.stdout.columns ?? 80, 120) - 4),
        below: `(rule: ${visible(oneLine(approval.because))})`,
        choices,
        // What cannot be had back is not a keystroke away.
        first: isDestructive(approval.what) ? choices.indexOf(CHOICES.words) : 0,
        signal: gone.signal,
      });
    if (question.next === "in_quiet" && prompts.hasDraft())
      ui.notify(`${approval.tool} waits for your answer; you are asked when your message is sent.`, "info");
    const choice = await (question.next === "in_quiet" ? prompts.askInQuiet(show) : prompts.ask(show));
    question.next = "at_once";
    switch (choice) {
      case CHOICES.once:
        return answered(id, scheduler.approve(id, { type: "once" }));
      case CHOICES.always:
        return answered(id, scheduler.approve(id, { type: "always_rule" }));
      case CHOICES.tool:
        return answered(id, scheduler.approve(id, { type: "always_tool" }));
      case CHOICES.edit:
        return edit(id, gone.signal, visible(JSON.stringify(question.args, null, 2)));
      case CHOICES.words:
        return denyWithWords(id, gone.signal);
      case CHOICES.stop:
        return answered(id, scheduler.deny(id, { rest: "stops" }));
      default:
        if (gone.signal.aborted) return;
        question.next = "left";
        ui.notify(`${approval.tool} still waits for your answer: /approve asks again, Esc stops the agent.`, "warning");
    }
  }

  /** Leaving the line, or leaving it empty, leads back to the choices. */
  async function denyWithWords(id: string, signal: AbortSignal): Promise<void> {
    const say = () => ui.input("What should it do instead?", "message to the agent", { signal });
    const words = (await prompts.ask(say))?.trim();
    if (words) answered(id, scheduler.deny(id, { words }));
  }

  /** Leaving the editor leads back to the choices; a mistake leads back into it, with what was written. */
  async function edit(id: string, signal: AbortSignal, text: string): Promise<void> {
    const written = await prompts.ask(() => ui.editor("Change the arguments (JSON), then Enter", text));
    if (written === undefined || signal.aborted) return;
    const read = readJson(written);
    const result = read.ok ? scheduler.approve(id, { type: "edited", args: read.value }) : read;
    if (result.ok || !MENDABLE.has(result.code)) return answered(id, result);
    ui.notify(result.message, "error");
    return edit(id, signal, written);
  }

  /** An answer that does not fit the question leads back to the choices. */
  function answered(id: string, result: Answered): void {
    if (result.ok || !UNFIT.has(result.code)) waiting.delete(id);
    if (!result.ok) ui.notify(result.message, "warning");
  }
}

const UNFIT: ReadonlySet<string> = new Set(["no_exact_rule", "only_once"]);

/** What you can fix in the editor. */
const MENDABLE: ReadonlySet<string> = new Set(["bad_arguments", "denied"]);

function readJson(text: string): { readonly ok: true; readonly value: unknown } | (Answered & { ok: false }) {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, code: "bad_arguments", message: `This is not JSON: ${error.message}` };
  }
}
