import type { ToolKind } from "../../../core/workflow/index.ts";

/** Which group each of pi's own tools belongs to. A tool of another extension belongs to none: it is named by its name. */
const KINDS: Readonly<Record<string, readonly ToolKind[]>> = {
  read: ["@read"],
  grep: ["@read"],
  find: ["@read"],
  ls: ["@read"],
  edit: ["@write"],
  write: ["@write"],
  bash: ["@shell"],
  powershell: ["@shell"],
};

export const kindsOf = (tool: string): readonly ToolKind[] => (Object.hasOwn(KINDS, tool) ? KINDS[tool]! : []);

/** pi's tools that write files by themselves. */
export const WRITERS: readonly string[] = Object.keys(KINDS).filter((tool) => kindsOf(tool).includes("@write"));
