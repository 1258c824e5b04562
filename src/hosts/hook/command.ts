/** What the human may say to tildone inside a prompt: the same words on every host, with or without the host's slash. */
export interface HookCommand {
  readonly name: (typeof NAMES)[number];
  readonly words: string;
}

const NAMES = ["hold", "unhold", "status", "workflow", "cancel-workflow"] as const;

export function readCommand(prompt: string): HookCommand | undefined {
  const [, name, words = ""] = /^\s*\/?tildone[\s:]+([a-z-]+)(?:\s+([\s\S]*))?$/i.exec(prompt) ?? [];
  const known = NAMES.find((one) => one === name?.toLowerCase());
  return known && { name: known, words: words.trim() };
}
