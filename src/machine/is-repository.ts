import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether a folder is the root of a repository. A worktree has a file there; sandboxes leave empty folders of that name behind, in the
 * temporary folder for one.
 */
export const isRepository = (folder: string): boolean =>
  existsSync(join(folder, ".git/HEAD")) || statSync(join(folder, ".git"), { throwIfNoEntry: false })?.isFile() === true;
