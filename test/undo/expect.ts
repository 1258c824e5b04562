// What has to come of a file, worked out from plain bytes.
import type { Checkpoint } from "../../src/core/run/index.ts";
import type { Files } from "./world.ts";

export interface Step {
  readonly from: { readonly checkpoint: Checkpoint; readonly files: Files };
  readonly to: { readonly checkpoint: Checkpoint; readonly files: Files };
}

/** `open`: lines came or went on both sides. Whether they meet is git's to say; both answers are right. */
type Merged =
  | { readonly status: "merged"; readonly file: string | undefined }
  | { readonly status: "conflict" }
  | { readonly status: "open" };

/** The newest step first. */
export function mergeFile(path: string, now: string | undefined, steps: readonly Step[]): Merged {
  let file = now;
  for (const { from, to } of steps) {
    const [before, after] = [from.files.get(path), to.files.get(path)];
    if (before === after || file === before) continue;
    if (file === after) {
      file = before;
      continue;
    }
    const merged = mergeTexts(file, after, before);
    if (merged === OPEN) return { status: "open" };
    if (merged === undefined) return { status: "conflict" };
    file = merged;
  }
  return { status: "merged", file };
}

const OPEN = Symbol("open");

function mergeTexts(
  now: string | undefined,
  after: string | undefined,
  before: string | undefined,
): string | typeof OPEN | undefined {
  const all = [now, after, before];
  if (!all.every((text): text is string => text !== undefined && !text.startsWith("link "))) return undefined;
  const [a, b, c] = all.map((text) => ({ mode: text[0]!, lines: text.slice(2).split("\n"), text: text.slice(2) }));
  const mode = a!.mode === b!.mode ? c!.mode : a!.mode;
  if (a!.text === b!.text) return `${mode} ${c!.text}`;
  if (b!.text === c!.text || a!.text === c!.text) return `${mode} ${a!.text}`;
  if ([a, b, c].some((each) => each!.text.includes("\0"))) return undefined;
  if (new Set([a, b, c].map((each) => each!.lines.length)).size > 1) return OPEN;
  // Neighbouring lines are one place to git.
  const since = a!.lines.flatMap((line, at) => (line === b!.lines[at] ? [] : [at]));
  const taken = b!.lines.flatMap((line, at) => (line === c!.lines[at] ? [] : [at]));
  if (taken.some((at) => since.includes(at - 1) || since.includes(at + 1))) return OPEN;
  const lines: string[] = [];
  for (const [at, line] of a!.lines.entries()) {
    const [was, back] = [b!.lines[at]!, c!.lines[at]!];
    if (line === was) lines.push(back);
    else if (was === back || line === back) lines.push(line);
    else return undefined;
  }
  return `${mode} ${lines.join("\n")}`;
}
