import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, isRepository } from "../machine/index.ts";
import { isForeign } from "./owner.ts";

export interface Project {
  /** The real path of the folder that holds `.git`; without git, of the nearest one that holds `.tildone`. */
  readonly root: string;
  /** Whether the root holds `.git`. */
  readonly isRepository: boolean;
  /** The nearest `.tildone` between the working folder and the root. */
  readonly folder?: string;
  /** A `.tildone` that is not read, because another user put it there. */
  readonly foreign?: string;
}

/** Undefined if the working folder itself is gone. */
export function findProject(cwd: string): Project | undefined {
  const here = realPath(cwd);
  if (here === undefined) return undefined;
  const upwards = ancestors(here);
  const repository = upwards.find(isRepository);
  const root = repository ?? upwards.find((path) => existsSync(join(path, ".tildone"))) ?? here;
  const holder = upwards.slice(0, upwards.indexOf(root) + 1).find((path) => existsSync(join(path, ".tildone")));
  const project = { root, isRepository: repository !== undefined };
  if (holder === undefined) return project;
  const folder = join(holder, ".tildone");
  return isForeign(statSync(folder, { throwIfNoEntry: false }))
    ? { ...project, foreign: folder }
    : { ...project, folder };
}

const realPath = (path: string): string | undefined => attempt(() => realpathSync(path));

function ancestors(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...ancestors(above)];
}
