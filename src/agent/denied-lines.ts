import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { AgentToolResult } from "@earendil-works/pi-coding-agent";

/**
 * A search reads every file below its folder, those that a rule denies too: their lines are taken out of what it found.
 * `path:12: text` names the file, and a name may hold `:12: ` itself, so every way to read a line must be allowed.
 */
export function withoutDenied(
  result: AgentToolResult<unknown>,
  searched: string,
  mayRead: (path: string) => boolean,
): AgentToolResult<unknown> {
  const folder = statSync(searched).isDirectory() ? searched : dirname(searched);
  const known = new Map<string, boolean>();
  const isAllowed = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const allowed = mayRead(resolve(folder, path));
    known.set(path, allowed);
    return allowed;
  };
  let left = 0;
  const kept = (line: string): boolean => {
    const isKept = pathsIn(line).every(isAllowed);
    if (!isKept) left++;
    return isKept;
  };
  const content = result.content.map((part) =>
    part.type === "text" ? { ...part, text: part.text.split("\n").filter(kept).join("\n") } : part,
  );
  if (left === 0) return result;
  const note = `${left} ${left === 1 ? "line" : "lines"} of files that a rule denies reading left out.`;
  return { ...result, content: [...content, { type: "text", text: note }] };
}

const pathsIn = (line: string): readonly string[] =>
  [...line.matchAll(/[:-]\d+[:-] /g)].slice(0, MOST_WAYS).map(({ index }) => line.slice(0, index));

/** A name of a file holds no more of them; a line of a file may. */
const MOST_WAYS = 1_100;
