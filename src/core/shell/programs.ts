import type { Command } from "./command.ts";
import { readShell } from "./read-shell.ts";

/**
 * Programs that a line cannot do without: those that run whatever happens, and those that run if all before them succeed. What the
 * shell does itself, what stands behind `||` or in an `if`, and what cannot be read with certainty is left out.
 */
export function programsNeeded(line: string): readonly string[] {
  const command = readShell(line);
  return command === undefined ? [] : neededBy(command).filter((name) => !BUILT_IN.has(name));
}

function neededBy(command: Command): readonly string[] {
  switch (command.type) {
    case "simple": {
      const [name] = command.words;
      return name?.literal && !name.pattern ? [name.text] : [];
    }
    case "pipeline":
      return command.commands.flatMap(neededBy);
    case "chain":
      return command.rest.some(({ operator }) => operator === "||")
        ? []
        : [command.first, ...command.rest.map((link) => link.command)].flatMap(neededBy);
    case "list":
      return command.items.flatMap((item) => neededBy(item.command));
    case "group":
      return neededBy(command.body);
    case "compound":
    case "test":
      return [];
  }
}

const BUILT_IN: ReadonlySet<string> = new Set(
  ". : [ alias bg break cd command continue declare echo eval exec exit export false fg getopts hash jobs kill let local printf pwd read readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
);
