import { type CommandName, isCommand, type Order, readOrder } from "../core/command/index.ts";

/** What you say to tildone inside a prompt: the same words on every host, with or without the host's slash. */
export interface HookCommand {
  readonly order: Order;
  /** Said politely, in a sentence: it is done, and the sentence reaches the agent all the same. */
  readonly isSentence: boolean;
}

/** A sentence that merely begins like a command ("tildone status is wrong") is for the agent. */
export function readCommand(prompt: string): HookCommand | undefined {
  const [, name = "", rest = ""] = /^\s*\/?tildone[\s:]+([a-z-]+)(?:[\s,]+([\s\S]*))?$/i.exec(bare(prompt)) ?? [];
  const called = meaning(name.toLowerCase());
  if (!called) return undefined;
  const [command, first] = called;
  const words = rest.trim();
  const takesWords = TAKES_WORDS.includes(command);
  if (words !== "" && !takesWords && !POLITE.test(words)) return undefined;
  const read = readOrder(command, takesWords ? `${first} ${words}` : first);
  return read.status === "read" ? { order: read.order, isSentence: words !== "" && !takesWords } : undefined;
}

/** The command that a word of a prompt stands for, and what it begins with. */
function meaning(name: string): readonly [command: CommandName, first: string] | undefined {
  if (name === "status" || name === "todo") return ["todos", ""];
  if (["on", "off", "accept", "clear"].includes(name)) return ["tildone", name];
  return isCommand(name) && name !== "tildone" ? [name, ""] : undefined;
}

const TAKES_WORDS: readonly CommandName[] = ["workflow", "todos", "extend"];
const bare = (prompt: string): string => prompt.replace(/[\s.!]+$/, "");
const POLITE = /^(?:(?:please|now|thanks|thank you|for now|it|the run|everything|a moment|here|again)[\s,.!]*)+$/i;
