import { type FindProject, findRepository } from "../checks/index.ts";
import { holdsFolder } from "../machine/index.ts";

/**
 * The repository whose files are recorded with a folder. It is the same one throughout, also while a new folder is not yet part of it: a
 * checkpoint from before and one from after have to lie in the same store. Never one that is your home: everything you own would be copied.
 */
export function notOfHome(home: string): FindProject {
  return async (git, cwd) => {
    const found = await findRepository(git, cwd);
    return found && !holdsFolder(found.root, home) ? found : undefined;
  };
}
