/** What the system refused, as a sentence with a next step; undefined: this is no refusal but a mistake. */
export function systemErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", path, syscall = "" } = error as NodeJS.ErrnoException;
  if (syscall.startsWith("spawn")) {
    const program = path ?? syscall.replace(/^spawn /, "");
    return code === "ENOENT" ? notOnPath(program) : `${program} cannot be started (${code}).`;
  }
  const why = WHY[code];
  if (why === undefined || path === undefined) return undefined;
  return `Cannot use ${path}: ${why}. Fix that, or set TILDONE_HOME to a folder that you can write to.`;
}

export const notOnPath = (program: string): string =>
  `${program} is not on your PATH. Install it, or open a terminal that finds it.`;

const WHY: Readonly<Record<string, string>> = {
  EACCES: "you have no permission",
  EPERM: "you have no permission",
  EROFS: "the disk is read-only",
  ENOTDIR: "a file is in the place of a folder",
  EISDIR: "a folder is in the place of a file",
  ENOSPC: "the disk is full",
  EDQUOT: "your quota is used up",
  EMFILE: "too many files are open",
};
