import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { type CommandHost, createCommander, type SlashCommand } from "../../../scheduler/index.ts";

/** Commands of ours as commands of pi: each is found by its name, and pi's completion knows what can follow it. */
export function registerCommands(
  pi: ExtensionAPI,
  commands: readonly SlashCommand[],
  hostOf: (ctx: () => ExtensionCommandContext) => CommandHost,
): void {
  let running: ExtensionCommandContext | undefined;
  const commander = createCommander(
    commands,
    hostOf(() => running!), // only a command that runs asks for it
  );
  for (const { name, description } of commands)
    pi.registerCommand(name, {
      description,
      getArgumentCompletions: async (prefix) => {
        const lines = await commander.complete(`/${name} ${prefix}`);
        // What stands there in full already is no offer: Enter would take it once more instead of sending the line.
        const rests = lines.map((line) => line.slice(name.length + 2)).filter((rest) => rest.trim() !== prefix.trim());
        const items = rests.map((value) => ({ value, label: value }));
        return items.length === 0 ? null : items;
      },
      handler: async (args, ctx) => {
        running = ctx;
        await commander.run(`/${name} ${args}`);
      },
    });
}
