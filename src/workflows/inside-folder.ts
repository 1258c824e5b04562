import { realpathSync } from "node:fs";
import { isAbsolute, type PlatformPath, relative, resolve, sep } from "node:path";

export type Inside =
  | { readonly status: "inside"; readonly path: string }
  | { readonly status: "outside" }
  | { readonly status: "missing" }
  | { readonly status: "unreadable"; readonly message: string };

/** Where a path really leads, links followed, and whether that is strictly inside the (real) root. */
export function insideFolder(root: string, path: string): Inside {
  try {
    const real = realpathSync.native(path);
    return isInside(root, real) ? { status: "inside", path: real } : { status: "outside" };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Nothing there: what was written decides, so that a workflow cannot find out which files exist elsewhere.
    if (!isInside(root, resolve(path))) return { status: "outside" };
    return code === "ENOENT" ? { status: "missing" } : { status: "unreadable", message };
  }
}

type Paths = Pick<PlatformPath, "isAbsolute" | "relative" | "sep">;
const HERE: Paths = { isAbsolute, relative, sep };

/** Platforms compare paths differently; `paths` is this one's, or another's in a test. */
export function isInside(root: string, target: string, paths: Paths = HERE): boolean {
  const way = paths.relative(root, target);
  return way !== "" && way !== ".." && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
}
