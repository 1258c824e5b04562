/** What you may say to tildone inside a prompt: the same words on every host, with or without the host's slash. */
export interface HookCommand {
  readonly name: (typeof NAMES)[number];
  readonly words: string;
  /** Said politely, in a sentence: it is done, and the sentence reaches the agent all the same. */
  readonly isSentence: boolean;
}

const NAMES = ["hold", "unhold", "status", "workflow", "cancel-workflow"] as const;

/** Only `workflow` takes words. A sentence that merely begins like a command ("tildone status is wrong") is for the agent. */
export function readCommand(prompt: string): HookCommand | undefined {
  const [, name, rest = ""] = /^\s*\/?tildone[\s:]+([a-z-]+)(?:[\s,]+([\s\S]*))?$/i.exec(bare(prompt)) ?? [];
  const known = NAMES.find((one) => one === name?.toLowerCase());
  const words = rest.trim();
  if (!known) return undefined;
  if (known === "workflow" || words === "") return { name: known, words, isSentence: false };
  return POLITE.test(words) ? { name: known, words: "", isSentence: true } : undefined;
}

const bare = (prompt: string): string => prompt.replace(/[\s.!]+$/, "");
const POLITE = /^(?:(?:please|now|thanks|thank you|for now|it|the run|everything|a moment|here|again)[\s,.!]*)+$/i;
