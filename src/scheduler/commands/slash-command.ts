import type { Action } from "./action.ts";

/** A command that the user types as `/name`. A value: any host that can show commands can offer it. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly subCommands?: readonly SlashCommand[];
  /** What could stand after the name, given how it begins. */
  complete?(prefix: string): readonly string[] | Promise<readonly string[]>;
  /** What is to be done; nothing if it did everything itself. Absent: the command only groups its sub-commands. */
  action?(invocation: Invocation): Action | undefined | Promise<Action | undefined>;
}

/** A command as it was typed. */
export interface Invocation {
  /** The line as it was typed. */
  readonly line: string;
  /** What stands after the name, trimmed. */
  readonly args: string;
  /** Shell commands that the user confirmed, now or for good. */
  readonly confirmedShell: ReadonlySet<string>;
  /** The user said yes to what this command asked. */
  readonly isConfirmed: boolean;
}

export interface FoundCommand {
  readonly command: SlashCommand;
  /** Names from the outermost command to this one. */
  readonly path: readonly string[];
  readonly args: string;
}

/** The innermost command that the line names; undefined for text that only looks like one, such as a path. */
export function findCommand(commands: readonly SlashCommand[], line: string): FoundCommand | undefined {
  const text = line.trim();
  if (!text.startsWith("/")) return undefined;
  const path: string[] = [];
  let rest = text.slice(1);
  let found: SlashCommand | undefined;
  for (let choices: readonly SlashCommand[] = commands; ; choices = found.subCommands ?? []) {
    const word = /^\S*/.exec(rest)![0];
    const next = named(choices, word);
    if (next === undefined || word === "") break;
    found = next;
    path.push(next.name);
    rest = rest.slice(word.length).trimStart();
  }
  return found && { command: found, path, args: rest.trim() };
}

/** Whole lines that could be meant by the beginning of one. */
export async function completions(commands: readonly SlashCommand[], line: string): Promise<readonly string[]> {
  if (!line.startsWith("/")) return [];
  const words = line.slice(1).split(/\s+/);
  let found: SlashCommand | undefined;
  let choices = commands;
  let at = 0;
  for (; at < words.length - 1; at++) {
    const next = named(choices, words[at]!);
    if (next === undefined) break;
    found = next;
    choices = next.subCommands ?? [];
  }
  const prefix = words.slice(at).join(" ");
  const names = choices.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  const more = (await found?.complete?.(prefix)) ?? [];
  return [...names, ...more].map((rest) => `/${[...words.slice(0, at), rest].join(" ")}`);
}

const named = (commands: readonly SlashCommand[], word: string): SlashCommand | undefined =>
  commands.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
