import { globSync, readFileSync } from "node:fs";

/** A command that a page shows: in a block, where a reader copies it, or in the text. */
export interface ShownCommand {
  readonly page: string;
  readonly line: string;
  readonly isBlock: boolean;
}

/** Pages that people follow, the README first. The reference is printed from the code. */
export const PAGES = ["README.md", ...[...globSync("docs/*.md"), ...globSync("docs/how-to/*.md")].sort()];

const FENCE = /^```(\w*)\n(.*?)^```$/gms;
const SHELLS = new Set(["sh", "bash", ""]);
const PROGRAMS = "tildone|npm|npx|nohup|node|git|pi|claude|codex|gemini|qwen|opencode";
/** A line of a block that starts a program, after variables and `export`. */
const STARTS = new RegExp(`^\\s*(?:export \\w+=|(?:\\w+=\\S+ )*(?:${PROGRAMS})(?:\\s|$))`);
const SPAN = new RegExp(`\`((?:${PROGRAMS}) [^\`\\n]+)\``, "g");

export function commandsOf(page: string): readonly ShownCommand[] {
  const text = readFileSync(page, "utf8").replace(/<!-- benchmark.*?\/benchmark -->/s, "");
  const blocks = [...text.matchAll(FENCE)]
    .filter(([, language]) => SHELLS.has(language!))
    .flatMap(([, , body]) => body!.split("\n"))
    .filter((line) => STARTS.test(line))
    .map((line) => ({ page, line: withoutComment(line), isBlock: true }));
  const spans = [...text.replace(FENCE, "").matchAll(SPAN)].map(([, line]) => ({ page, line: line!, isBlock: false }));
  return [...blocks, ...spans];
}

/** A comment stands behind two spaces, so that a `#` inside quotes stays. */
const withoutComment = (line: string): string => line.replace(/\s{2,}#.*$/, "").trim();
