import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptCall } from "../demo/script.ts";

/**
 * A call of the script as one command: every host has a shell, and each calls its file tools by other names. Some refuse a command with
 * backticks or `$(`, even in quotes: the script writes none.
 */
export function asCommand([tool, args]: ScriptCall, project: string): string | undefined {
  const { command, path, content, edits } = args as {
    command?: string;
    path?: string;
    content?: string;
    edits?: readonly { oldText: string; newText: string }[];
  };
  if (tool === "bash") return command;
  if (tool === "write") return writing(path!, content!);
  if (tool !== "edit") return undefined;
  const before = readFileSync(join(project, path!), "utf8");
  return writing(
    path!,
    edits!.reduce((text, { oldText, newText }) => text.replace(oldText, () => newText), before),
  );
}

const writing = (path: string, content: string): string => `cat > ${path} <<'END'\n${content}END`;
