import type { DroppedFile } from "../run/index.ts";

/** For the agent. What the file says is the project's own text and stays out of it: you read that in `tildone doctor`. */
export function droppedText(files: readonly DroppedFile[]): string {
  if (files.length === 0) return "";
  const named = files.map(({ file, line }) => `${file}${line === undefined ? "" : `, line ${line}`}`).join("; ");
  return `tildone does not apply this project's settings (${named}). Tell the user: \`tildone doctor\` shows why.`;
}
