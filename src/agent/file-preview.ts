import { constants } from "node:fs";
import { access, open, readFile } from "node:fs/promises";
import { createEditToolDefinition, type ExtensionContext, generateUnifiedPatch } from "@earendil-works/pi-coding-agent";
import { MOST_APPROVED } from "../core/call/index.ts";
import type { Preview } from "../scheduler/index.ts";

/** A file as it is and as it would be, as a unified diff. */
export interface FileChange {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: string;
}

/** What pi's edit would write: its own tool does the work, and what it would write is caught. */
export async function editPreview(args: unknown, shown: string, cwd: string): Promise<Preview> {
  let change: FileChange | undefined;
  let before: Buffer | undefined;
  const tool = createEditToolDefinition(cwd, {
    operations: {
      access: (path) => access(path, constants.R_OK | constants.W_OK),
      readFile: async (path) => {
        before = await bounded(path);
        return before;
      },
      writeFile: async (path, after) => {
        change = { path, before, after };
      },
    },
  });
  await tool.execute("preview", args as never, undefined, undefined, undefined as unknown as ExtensionContext);
  if (change === undefined) throw new Error("the edit writes nothing");
  return diffOf(change, shown);
}

export async function writePreview(path: string, content: string, shown: string): Promise<Preview> {
  const before = await bounded(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return diffOf({ path, before, after: content }, shown);
}

/** You approve a change at this place of this file: line numbers may move, its neighbours may not. */
function diffOf({ before, after }: FileChange, shown: string): Preview {
  const old = before?.toString("utf8") ?? "";
  if (before !== undefined && !before.equals(Buffer.from(old))) return replaced(shown, before, after); // no text: its bytes cannot be shown
  const patch = generateUnifiedPatch(shown, old, after);
  const head = before === undefined ? `${shown} (new file)\n` : "";
  const binds = patch.replace(/^@@ .*$/gm, "@@");
  return { text: `${head}${patch}`, binds: `${before === undefined ? "new" : "old"}\n${binds}` };
}

function replaced(shown: string, before: Buffer, after: string): Preview {
  const text = `${shown}: ${before.length} bytes that are not text are replaced by\n${after}`;
  return { text, binds: `${text}\n${before.toString("base64")}` };
}

/** A diff of files that are much larger than what can be approved is not worth the time. */
async function bounded(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > MOST_FILE) throw new Error(`the file is larger than ${MOST_FILE / 1024 / 1024} MiB`);
    return await readFile(file);
  } finally {
    await file.close();
  }
}

const MOST_FILE = 64 * MOST_APPROVED;
