import { writeSync } from "node:fs";
import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { AutocompleteItem } from "@earendil-works/pi-tui";
import type { Said } from "../../../core/command/index.ts";
import { visible } from "../../../core/text/index.ts";
import type { BoundSession } from "../bound-session.ts";

/** One command of ours inside pi: a value, in a file of its own. It answers with what to say. */
export interface SessionCommand {
  readonly name: string;
  readonly description: string;
  /** Words that the argument may begin with. */
  readonly words?: readonly string[];
  /** Words that are found when they are asked for. */
  complete?(prefix: string, session: BoundSession): Promise<readonly AutocompleteItem[]>;
  run(args: string, session: BoundSession, ctx: ExtensionCommandContext): Promise<Said | undefined>;
}

export function registerCommand(
  pi: ExtensionAPI,
  current: () => BoundSession,
  command: SessionCommand,
  tell?: (text: string) => void,
): void {
  pi.registerCommand(command.name, {
    description: command.description,
    getArgumentCompletions: async (prefix) => {
      const fixed = (command.words ?? []).filter((word) => word.startsWith(prefix));
      const found = (await command.complete?.(prefix, current())) ?? [];
      // What stands there in full already is no offer: Enter would take it once more instead of sending the line.
      const items = [...fixed.map((word) => ({ value: word, label: word })), ...found].filter(
        ({ value }) => value.trim() !== prefix.trim(),
      );
      return items.length === 0 ? null : items;
    },
    handler: async (args, ctx) => {
      const session = current();
      const said = await command.run(args.trim(), session, ctx);
      if (said) tell ? tell(said.text) : say(ctx, said);
      await stayUntilSettled(session, ctx);
    },
  });
}

/** In print mode the answer of a command is the output; json keeps its stream clean. */
function say(ctx: ExtensionCommandContext, { text, tone }: Said): void {
  if (ctx.mode === "tui" || ctx.mode === "rpc") ctx.ui.notify(visible(text), tone);
  else writeSync(ctx.mode === "print" && tone === "info" ? 1 : 2, `${visible(text)}\n`);
}

/**
 * A command that starts a turn must outlive it where pi ends after the command. In rpc it must not wait: the client gets
 * its answer only when the handler returns.
 */
async function stayUntilSettled(session: BoundSession, ctx: ExtensionCommandContext): Promise<void> {
  if (ctx.mode === "tui" || ctx.mode === "rpc") return;
  await session.untilCountedDown();
  await session.starting()?.catch(() => {}); // the engine has been told that no turn began
  await ctx.waitForIdle();
}
