import { existsSync } from "node:fs";
import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { PI_COMMANDS } from "./commands/pi-commands.ts";
import { unknownCommand } from "./commands/unknown-command.ts";
import type { OpenSession } from "./open-session.ts";
import { queueWords } from "./queue-words.ts";

const KINDS = { steer: "steer", followUp: "follow-up" } as const;

/**
 * What is typed, before anything else hears it: a command that is misspelt is neither message to the agent nor a sign of life, and
 * words that come while the agent works wait for its boundary. Images and templates stay with pi, which alone can read them.
 */
export const wordsOfHuman =
  (open: () => OpenSession | undefined): ExtensionFactory =>
  (pi) => {
    pi.on("input", async ({ text, images = [], source, streamingBehavior }, { ui, mode }) => {
      if (source !== "interactive" || mode !== "tui") return undefined;
      const known = [...pi.getCommands().map(({ name }) => name), ...PI_COMMANDS];
      const says = unknownCommand(text, known);
      if (says !== undefined && !existsSync(text.split(/\s/)[0]!)) {
        ui.notify(says, "error");
        return { action: "handled" };
      }
      const session = open();
      if (!session || streamingBehavior === undefined || images.length > 0 || isCommand(text, known)) return undefined;
      return (await queueWords(session, text, KINDS[streamingBehavior])) ? { action: "handled" } : undefined;
    });
  };

const isCommand = (text: string, known: readonly string[]): boolean =>
  text.startsWith("/") && known.includes(text.slice(1).split(/\s/)[0]!);
