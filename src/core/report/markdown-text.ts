/** Parts of Markdown around text that others wrote: it shows, it does not act. */

/** One line in which no character means anything to Markdown or HTML. */
export function words(text: string): string {
  return flat(text).replace(/[\\`*_{}[\]<>#|~!&]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** A command as it is typed. Backticks inside would end it, so it is fenced by more than it holds. */
export function code(text: string): string {
  const line = flat(text);
  const fence = "`".repeat(longestTicks(line, 0) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A block of code, fenced by more than it holds. */
export function block(text: string, language = "text"): string {
  const fence = "`".repeat(longestTicks(text, 2) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

export const section = (title: string, body: string): string => (body === "" ? "" : `## ${title}\n\n${body}`);
export const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

const longestTicks = (text: string, least: number): number =>
  Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

export const flat = (text: string): string => text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
