/** A Markdown file's header and body. `firstLine` is the line of the file on which the header's text begins. */
export interface Frontmatter {
  readonly header: string;
  readonly firstLine: number;
  readonly body: string;
}

/** Undefined when the file has no header. The rules are those of the files written for pi. */
export function splitFrontmatter(text: string): Frontmatter | undefined {
  if (!text.startsWith("---")) return undefined;
  const end = text.indexOf("\n---", 3);
  if (end < 0) return undefined;
  return { header: text.slice(4, end), firstLine: 2, body: text.slice(end + 4).trim() };
}
