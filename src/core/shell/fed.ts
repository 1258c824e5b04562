import type { Command, Redirects, Word } from "./command.ts";
import { readShell } from "./read-shell.ts";

/** A program and text that it is given to read: by a pipe, a heredoc, or a file that stands for the output of a command. */
export interface Fed {
  readonly program: Word;
  readonly text: string;
}

/**
 * What the programs of a line are given to read, as far as it stands in the line itself. A program may run what it reads
 * (`at`, `ssh`, `python3`), so that text is looked at like words of its own.
 */
export function fedTo(line: string, command = readShell(line)): readonly Fed[] {
  const fed = command === undefined ? [] : fedIn(command);
  return fed.length > MOST ? [{ program: ANY, text: line }] : fed;
}

/** More than people pipe into each other: such a line is looked at as a whole. */
const MOST = 50;
const ANY: Word = { text: "sh", literal: true, pattern: false, runs: [] };

function fedIn(command: Command): readonly Fed[] {
  switch (command.type) {
    case "simple": {
      const runs = [...command.assignments, ...command.words].flatMap((word) => word.runs);
      const substituted = command.words.filter(({ text }) => text.includes("<(")).flatMap((word) => word.runs);
      const text = [...fedText(command), ...substituted.map(textOf)].join("\n");
      return [...runs.flatMap(fedIn), ...givenTo(command, text)];
    }
    case "pipeline": {
      const [first, ...others] = command.commands;
      const text = [first!, ...others.slice(0, -1)].map(textOf).join("\n");
      return [...command.commands.flatMap(fedIn), ...others.flatMap((each) => givenTo(each, text))];
    }
    case "group":
      return [...fedIn(command.body), ...givenTo(command.body, fedText(command).join("\n"))];
    case "compound": {
      const text = fedText(command).join("\n");
      return command.bodies.flatMap((body) => [...fedIn(body), ...givenTo(body, text)]);
    }
    case "chain":
    case "list":
      return within(command).flatMap(fedIn);
    case "test":
      return [];
  }
}

function givenTo(command: Command, text: string): readonly Fed[] {
  if (text.trim() === "") return [];
  if (command.type !== "simple") return within(command).flatMap((each) => givenTo(each, text));
  const [program] = command.words;
  // The line break keeps a text of one word from being taken for a word of the command.
  return program === undefined ? [] : [{ program, text: `${text}\n` }];
}

/** What a command could print that stands in the line: its arguments, and what it is fed. */
function textOf(command: Command): string {
  if (command.type !== "simple") return within(command).map(textOf).join("\n");
  return [
    command.words
      .slice(1)
      .map(({ text }) => text)
      .join(" "),
    ...fedText(command),
  ].join("\n");
}

const fedText = ({ feeds }: Redirects): readonly string[] => feeds.map(({ text }) => text);

function within(command: Command): readonly Command[] {
  switch (command.type) {
    case "simple":
    case "test":
      return [];
    case "pipeline":
      return command.commands;
    case "chain":
      return [command.first, ...command.rest.map((link) => link.command)];
    case "list":
      return command.items.map((item) => item.command);
    case "group":
      return [command.body];
    case "compound":
      return command.bodies;
  }
}
