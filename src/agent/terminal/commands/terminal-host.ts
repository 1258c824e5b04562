import { randomUUID } from "node:crypto";
import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { matchesKey } from "@earendil-works/pi-tui";
import type { CallRequest } from "../../../core/call/index.ts";
import { clipText, exactRows, visible } from "../../../core/text/index.ts";
import type { CommandHost } from "../../../scheduler/index.ts";
import { resultText } from "../../scheduled-tools.ts";
import type { OpenSession } from "../open-session.ts";
import { queueWords } from "../queue-words.ts";
import { DIALOGS } from "./dialogs.ts";
import { asMessages, readConversation } from "./history.ts";

export interface TerminalHostParts {
  readonly pi: ExtensionAPI;
  readonly current: () => OpenSession;
  /** Of the command that runs. */
  readonly ctx: () => ExtensionCommandContext;
  /** `human`: what the user typed is done; otherwise it is asked about like a call of the model. */
  readonly by: CallRequest["by"] & string;
}

/** Of what a tool answered, in characters: the user can run it again, the screen cannot be read any more. */
const MOST_SHOWN = 2_000;

/** The eight actions of commands, done with what pi gives to extensions. */
export function terminalHost({ pi, current, ctx, by }: TerminalHostParts): CommandHost {
  return {
    show: (level, text) => ctx().ui.notify(visible(text), level),
    schedule,
    submit,
    confirm: async (confirmation) => {
      const { ui } = ctx();
      const { prompts } = current();
      if (confirmation.type === "action")
        return (await prompts.ask(() => ui.confirm("Sure?", visible(confirmation.question)))) ? "yes" : "no";
      const columns = Math.min(process.stdout.columns ?? 80, 120) - 8;
      const lines = confirmation.commands
        .flatMap((command) => exactRows(command, columns).map((row) => `  ${row}`))
        .join("\n");
      const title = `This command runs in your shell:\n${lines}`;
      const choice = await prompts.ask(() => ui.select(title, Object.values(SHELL)));
      return choice === SHELL.yes ? "yes" : choice === SHELL.always ? "always" : "no";
    },
    openDialog: async (name, props) => {
      const open = Object.hasOwn(DIALOGS, name) ? DIALOGS[name] : undefined;
      if (!open) throw new Error(`there is no dialog "${name}"; there are ${Object.keys(DIALOGS).join(", ")}`);
      await open(current(), ctx(), props);
    },
    loadHistory: async (history) => {
      const read = readConversation(history);
      if (!read.ok) throw new Error(read.message);
      const { model } = ctx();
      const messages = asMessages(read.turns, model, current().tildone.clock.now());
      await stop();
      await ctx().newSession({
        setup: async (session) => {
          for (const message of messages) session.appendMessage(message);
        },
      });
    },
    quit: async (message) => {
      // pi ends the process itself, and only then is the terminal a plain one again.
      if (message !== undefined) process.once("exit", () => process.stdout.write(`${visible(message)}\n`));
      await stop();
      ctx().shutdown();
    },
  };

  async function schedule(tool: string, args: unknown): Promise<{ readonly ok: boolean; readonly ended: string }> {
    const { tools, scheduler } = current();
    const { ui } = ctx();
    const id = `${by}-${randomUUID().slice(0, 8)}`;
    const stopped = new AbortController();
    const isRunning = () =>
      scheduler.snapshot().calls.some(({ request, status }) => request.id === id && status === "executing");
    const unwatch = ui.onTerminalInput((data) => {
      if (!matchesKey(data, "escape") || !isRunning()) return undefined;
      stopped.abort();
      return { consume: true };
    });
    try {
      const settled = await tools.call({ id, tool, args, by }, ctx(), stopped.signal);
      if (stopped.signal.aborted) return { ok: false, ended: "You stopped it." };
      if (settled.status !== "success") return { ok: false, ended: settled.message };
      ui.notify(visible(clipText(`${tool}: ${resultText(settled).trim() || "done, no output"}`, MOST_SHOWN)), "info");
      return { ok: true, ended: "" };
    } finally {
      unwatch();
    }
  }

  /** The text counts as the user's, also if a file holds it; while the agent works it waits for the end of the turn. */
  async function submit(text: string): Promise<void> {
    const open = current();
    if (!ctx().isIdle() && (await queueWords(open, text, "steer"))) return;
    await open.tildone.engine.tell(open.session, { type: "human.spoke" });
    pi.sendUserMessage(text, ctx().isIdle() ? undefined : { deliverAs: "followUp" });
  }

  async function stop(): Promise<void> {
    if (ctx().isIdle()) return;
    ctx().abort();
    await ctx().waitForIdle();
  }
}

const SHELL = { yes: "Allow once", always: "Always allow in this session", no: "No" } as const;
