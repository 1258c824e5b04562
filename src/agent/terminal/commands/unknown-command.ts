import { nearest } from "../../../core/text/index.ts";

/**
 * What to say to a line that looks like a command and names none; undefined when it is message to the agent: no slash in
 * front, a path, or several words of which the first is one. A space in front makes any line words.
 */
export function unknownCommand(line: string, known: readonly string[]): string | undefined {
  const name = /^\/([a-z][a-z0-9:_-]*)(?:\s|$)/i.exec(line)?.[1];
  if (name === undefined || known.includes(name)) return undefined;
  const [close] = nearest(name, known);
  const hint = close === undefined ? "" : ` Did you mean /${close}?`;
  return `There is no command /${name}.${hint} To send it to the agent, put a word in front of it.`;
}
