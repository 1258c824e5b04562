import { type CommandHost, performAction } from "./action.ts";
import { completions, type FoundCommand, findCommand, type SlashCommand } from "./slash-command.ts";

/** Runs and completes slash commands. */
export interface Commander {
  /** `text`: it names no command, and is to be taken as the user's words. A command that fails has still been handled. */
  run(line: string): Promise<"handled" | "text">;
  complete(line: string): Promise<readonly string[]>;
}

/** A command that asks again after every yes is given up. */
const MOST_CONFIRMATIONS = 5;

/** Runs commands for a host. What the user allowed for good is remembered as long as this lives. */
export function createCommander(commands: readonly SlashCommand[], host: CommandHost): Commander {
  const allowedForGood = new Set<string>();

  async function invoke({ command, args }: FoundCommand, line: string): Promise<void> {
    const allowedNow = new Set<string>();
    for (let asked = 0; asked <= MOST_CONFIRMATIONS; asked++) {
      const confirmedShell = new Set([...allowedForGood, ...allowedNow]);
      const action = await command.action?.({ line, args, confirmedShell, isConfirmed: asked > 0 });
      if (action === undefined) return;
      const performed = await performAction(host, action);
      if (performed.type === "done") return;
      const allowed = performed.always ? allowedForGood : allowedNow;
      for (const each of performed.shell) allowed.add(each);
    }
    host.show("error", `${line} asked ${MOST_CONFIRMATIONS} times and wanted to ask again; it was given up.`);
  }

  return {
    async run(line) {
      const found = findCommand(commands, line);
      if (found === undefined) return "text";
      if (found.command.action === undefined) {
        host.show("info", helpFor(found));
        return "handled";
      }
      try {
        await invoke(found, line);
      } catch (error) {
        host.show("error", `/${found.path.join(" ")}: ${error instanceof Error ? error.message : String(error)}`);
      }
      return "handled";
    },
    complete: (line) => completions(commands, line),
  };
}

function helpFor({ command, path }: FoundCommand): string {
  const lines = (command.subCommands ?? []).map(
    ({ name, description }) => `  /${path.join(" ")} ${name} - ${description}`,
  );
  return [`/${path.join(" ")} - ${command.description}`, ...lines].join("\n");
}
