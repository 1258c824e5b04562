import { parseArgs } from "node:util";
import { nearest } from "../core/text/index.ts";
import { type Command, type Given, UsageError } from "./command.ts";

/** Options and words of a command, or a usage error that says what is wrong with them. */
export function parse(command: Command, args: readonly string[]): Given {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, multiple, short }]) => [
      name,
      { type, ...(multiple && { multiple }), ...(short !== undefined && { short }) },
    ]),
  );
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      allowNegative: true,
      tokens: true,
    });
    const given = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
    const twice = given.find((name, at) => {
      const { type, multiple } = command.options[name] ?? {};
      return type === "string" && !multiple && given.indexOf(name) !== at;
    });
    if (twice !== undefined) throw new UsageError(`--${twice} was given twice: give it once.`);
    if (positionals.length > command.words)
      throw new UsageError(
        `Unexpected argument "${positionals[command.words]}". Usage: ${usage(command)}${command.words === 1 ? " (put quotes around text with spaces)" : ""}`,
      );
    return { words: positionals, options: values as Given["options"] };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError) || !("code" in error)) throw error;
    throw new UsageError(said(error, command));
  }
}

export const usage = ({ name, takes }: Command): string => `tildone ${name}${takes === "" ? "" : ` ${takes}`}`;

function said(error: Error, command: Command): string {
  const unknown = /Unknown option '(-+)([^']+)'/.exec(error.message);
  if (unknown) {
    const [close] = nearest(unknown[2]!, Object.keys(command.options));
    return `There is no option ${unknown[1]}${unknown[2]}.${close === undefined ? "" : ` Did you mean --${close}?`} See tildone ${command.name} --help.`;
  }
  const needs = /Option '([^']+)' argument (missing|is ambiguous)/.exec(error.message);
  if (needs?.[2] === "is ambiguous")
    return `${needs[1]!.split(" ")[0]} needs a value. One that begins with a dash is written ${needs[1]!.split(" ")[0]}=-…`;
  if (needs) return `${needs[1]!.split(" ")[0]} needs a value. See tildone ${command.name} --help.`;
  const none = /Option '([^']+)' does not take an argument/.exec(error.message);
  if (none) return `${none[1]} takes no value.`;
  return `${error.message.split("\n")[0]} See tildone ${command.name} --help.`;
}
