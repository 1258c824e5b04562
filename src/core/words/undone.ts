import { clipLine } from "../text/index.ts";

/** What was taken back, for the agent. Names are data: quoted and bounded. */
export interface UndoneWork {
  readonly todos: readonly { readonly index: number; readonly text: string }[];
  readonly files: readonly string[];
  readonly isRedo: boolean;
}

const MOST_FILES = 8;

export function undoneText({ todos, files, isRedo }: UndoneWork): string {
  const named = todos.map(({ index, text }) => `[${index}] "${clipLine(text, 80).replaceAll('"', "'")}"`).join(", ");
  const what = todos.length === 0 ? "some of your work" : `your work on ${named}`;
  const shown = files.slice(0, MOST_FILES).map((file) => `"${clipLine(file, 120).replaceAll('"', "'")}"`);
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : "";
  const count = files.length === 1 ? "1 file changed" : `${files.length} files changed`;
  const list = files.length === 0 ? "" : ` ${count}: ${shown.join(", ")}${more}.`;
  const then = "Read these files again before you change them.";
  if (isRedo) return `I restored ${what} with tildone redo.${list} ${then}`;
  const open = todos.length === 0 ? "" : todos.length === 1 ? " The todo is open again." : " The todos are open again.";
  return `I undid ${what} with tildone undo.${list}${open} ${then} Do it another way, or as I tell you.`;
}

export const noCheckpointsText = (why: string): string =>
  `No checkpoint was taken: ${why}. What is done from here cannot be undone with tildone undo.`;
